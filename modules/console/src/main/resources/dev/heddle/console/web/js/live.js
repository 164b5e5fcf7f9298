// What the server is doing: plots of the last 15 minutes, slow log, clients, configuration.
import { el, clear } from './dom.js';
import { Sampler } from './sampler.js';
import { Tables } from './tables.js';
import { Chart } from './chart.js';
import { size, count, duration } from './format.js';

const WINDOW = 15 * 60;
const micros = (v) => (v === null || v === undefined ? '' : v >= 1000 ? (v / 1000).toFixed(v >= 10000 ? 0 : 1) + ' ms' : v + ' µs');
const percent = (v) => (v === null || v === undefined ? '' : v.toFixed(1) + ' %');

export class Live {
  #charts = [];
  #visible = false;

  constructor(root, status) {
    this.root = root;
    this.status = status;
    this.sampler = new Sampler();
    this.session = this.sampler.session;
    this.tiles = {};
    this.tables = new Tables(this.session);
    const charts = el('div', { class: 'charts' });
    const chart = (id, title, unit, series, format, range) => {
      const c = new Chart(id, title, unit, series, format, range);
      this.#charts.push(c);
      charts.append(c.root);
    };
    chart('commands', 'Commands', 'per second, the busiest', () => this.sampler.commands.map((s) => [s.slice(4), s]), count);
    chart('latency', 'Latency', 'within each second', () => [['p50', 'p50'], ['p99', 'p99'], ['p99.9', 'p999']], micros);
    chart('memory', 'Memory', '', () => [['used', 'used'], ['resident', 'rss'], ['limit', 'limit']], size);
    chart('hits', 'Hit rate', 'of reads', () => [['hits', 'hitRate']], percent, [0, 100]);
    chart('clients', 'Clients', '', () => [['connected', 'clients'], ['blocked', 'blocked']], count);
    chart('removed', 'Evictions and expiries', 'per second', () => [['evicted', 'evicted'], ['expired', 'expired']], count);
    chart('network', 'Network', 'per second', () => [['in', 'in'], ['out', 'out']], size);
    chart('aof', 'Append-only file', '', () => [['size', 'aof']], size);
    const tile = (name, label) => {
      const value = el('b', {}, '\u00a0');
      const small = el('span', {}, '\u00a0');
      this.tiles[name] = { value, small };
      return el('div', { class: 'tile', id: 'tile-' + name }, el('span', {}, label), value, small);
    };
    root.append(el('div', { class: 'live' },
      el('div', { class: 'tiles' }, tile('rate', 'Commands/s'), tile('keys', 'Keys'), tile('hits', 'Hit rate'), tile('memory', 'Memory'), tile('clients', 'Clients'), tile('aof', 'Append-only file'), tile('snapshot', 'Snapshot'), tile('uptime', 'Up for')),
      charts, this.tables.root));
    this.sampler.onSample = () => this.#draw();
    this.sampler.start();
    addEventListener('themechange', () => this.#charts.forEach((c) => c.forget()));
  }

  show() { this.#visible = true; this.#draw(); this.tables.load(); }
  hide() { this.#visible = false; }

  #draw() {
    const s = this.sampler;
    if (s.failure) { this.status.textContent = s.failure; return; }
    if (!s.now) return;
    const rate = s.values('total').at(-1);
    this.status.textContent = rate === null || rate === undefined ? '' : `${count(Math.round(rate))}/s · ${s.now.info.used_memory_human ?? ''}`;
    if (!this.#visible || document.hidden) return;
    this.#drawTiles(s.now.info, rate);
    const to = s.times.at(-1) ?? Date.now() / 1000;
    const from = Math.max(to - WINDOW, Math.min(s.times[0] ?? to, to - 60));
    for (const c of this.#charts) c.draw(s, from, to);
  }

  #set(name, value, small, bad = false) {
    const tile = this.tiles[name];
    tile.value.textContent = value || '\u00a0';
    tile.value.className = bad ? 'bad' : '';
    tile.small.textContent = small || '\u00a0';
  }

  #drawTiles(info, rate) {
    let keys = 0;
    let expiring = 0;
    for (const [name, text] of Object.entries(info)) {
      const m = /^db\d+$/.test(name) && /keys=(\d+),expires=(\d+)/.exec(text);
      if (m) { keys += Number(m[1]); expiring += Number(m[2]); }
    }
    const hits = Number(info.keyspace_hits);
    const reads = hits + Number(info.keyspace_misses);
    this.#set('rate', rate === null || rate === undefined ? '' : count(Math.round(rate)), `${count(Number(info.total_commands_processed))} in all`);
    this.#set('keys', keys.toLocaleString(), `${expiring.toLocaleString()} expire`);
    this.#set('hits', reads ? percent((100 * hits) / reads) : '–', 'since the start');
    this.#set('memory', size(info.used_memory), Number(info.maxmemory) ? `of ${size(info.maxmemory)}, ${info.maxmemory_policy}` : `${size(info.used_memory_rss)} resident`);
    this.#set('clients', info.connected_clients, `${info.blocked_clients} blocked`);
    const aofBad = info.aof_last_write_status === 'err';
    this.#set('aof', info.aof_enabled === '1' ? size(info.aof_current_size) : 'off', info.aof_rewrite_in_progress === '1' ? 'being rewritten' : info.aof_enabled === '1' ? (aofBad ? 'cannot be written' : 'all written') : '', aofBad);
    const bad = info.rdb_last_bgsave_status === 'err';
    this.#set('snapshot', info.rdb_bgsave_in_progress === '1' ? 'running' : bad ? 'failed' : duration(Date.now() / 1000 - Number(info.rdb_last_save_time)) + ' ago', `${count(Number(info.rdb_changes_since_last_save))} changes since`, bad);
    this.#set('uptime', duration(Number(info.uptime_in_seconds)), 'Redis ' + info.redis_version);
  }
}
