// The keys of a database: a list or a tree, filled by SCAN, and a viewer beside it.
import { el, clear, note, ask } from './dom.js';
import { shown, toBytes } from './bytes.js';
import { Session } from './api.js';
import { VirtualList } from './virtual.js';
import { Viewer, TYPES } from './viewer.js';
import { Tree } from './tree.js';
import { size, remaining } from './format.js';

const BATCH = 1000;
const MOST_FACTS = 20_000;

export class Keys {
  session = new Session();
  #keys = [];
  #facts = new Map(); // by JSON of the key: {type, deadline, bytes}
  #run = 0;
  #asked = false;
  #stopped = false;
  #flat = localStorage.getItem('heddle.flat') === '1';

  constructor(root) {
    this.root = root;
    this.filter = el('input', { type: 'search', id: 'keys-filter', placeholder: 'Filter: text or pattern*', 'aria-label': 'Filter keys', onkeydown: (e) => { if (e.key === 'Enter') this.scan(); if (e.key === 'ArrowDown') this.list.root.focus(); }, onsearch: () => this.scan() });
    this.type = el('select', { 'aria-label': 'Type', onchange: () => this.scan() }, el('option', { value: '' }, 'all types'), TYPES.map((t) => el('option', { value: t }, t)));
    this.db = el('select', { 'aria-label': 'Database', onchange: () => this.#select() });
    this.shape = el('button', { onclick: () => this.#toggleShape() });
    this.separator = el('input', { class: 'sep', value: localStorage.getItem('heddle.separator') ?? ':', maxlength: '3', 'aria-label': 'Separator of the tree', title: 'Separator of the tree', onchange: () => { localStorage.setItem('heddle.separator', this.separator.value || ':'); this.#rebuild(); } });
    this.list = new VirtualList('Keys', (i) => this.#row(i), (i, key) => this.#open(i, key));
    this.list.onRender = () => this.#wantFacts();
    this.count = el('span', {});
    this.more = el('button', { hidden: true, onclick: () => { this.#run++; this.#stopped = true; } }, 'Stop');
    this.viewer = new Viewer(this.session, { changed: (k) => this.#forget(k), removed: (k) => this.#removed(k), renamed: () => this.scan(), close: () => root.classList.remove('open') });
    root.append(
      el('div', { class: 'keys-list' },
        el('div', { class: 'keys-bar' }, this.filter, el('button', { title: 'Search', 'aria-label': 'Search', onclick: () => this.scan() }, '⟳'), el('button', { class: 'primary', id: 'key-add', onclick: () => this.#add() }, '+ Key')),
        el('div', { class: 'keys-bar' }, this.db, this.type, this.shape, this.separator),
        this.list.root,
        el('div', { class: 'keys-foot' }, this.count, this.more)),
      this.viewer.root);
    this.tree = new Tree();
    this.#shapeText();
    setInterval(() => { if (!document.hidden && !root.hidden) this.#tick(); }, 1000);
  }

  async show() {
    if (this.#keys.length || this.scanning) return;
    try {
      await this.#databases();
      await this.scan();
    } catch (failure) { note(failure.message, true); }
  }

  focusFilter() { setTimeout(() => this.filter.focus()); }

  async #databases() {
    const [config, info] = await this.session.run(['CONFIG', 'GET', 'databases'], ['INFO', 'keyspace']);
    const n = Number(config?.map?.[0]?.[1] ?? 16);
    const counts = Object.fromEntries([...String(info?.text ?? '').matchAll(/db(\d+):keys=(\d+)/g)].map((m) => [m[1], m[2]]));
    clear(this.db, Array.from({ length: n }, (_, i) => el('option', { value: String(i) }, `db${i}${counts[i] ? ` (${counts[i]})` : ''}`)));
  }

  async #select() {
    this.session.prepare = [['SELECT', this.db.value]];
    await this.session.call('SELECT', this.db.value);
    this.viewer.clear();
    await this.scan();
  }

  async scan() {
    const run = ++this.#run;
    this.#stopped = false;
    this.scanning = true;
    this.more.hidden = false;
    this.#keys = [];
    this.#facts.clear();
    this.tree = new Tree(this.separator.value || ':', this.tree?.opened);
    this.list.resize(0);
    this.list.at = -1;
    const text = this.filter.value;
    const pattern = !text ? null : /[*?[\\]/.test(text) ? text : `*${text}*`;
    const seen = new Set();
    let cursor = '0';
    let drawn = performance.now();
    try {
      do {
        const args = ['SCAN', cursor, ...(pattern ? ['MATCH', pattern] : []), 'COUNT', String(BATCH), ...(this.type.value ? ['TYPE', this.type.value] : [])];
        const reply = await this.session.call(...args);
        if (run !== this.#run) break;
        cursor = String(reply[0]);
        for (const key of reply[1]) {
          const name = typeof key === 'string' ? key : JSON.stringify(key);
          if (seen.has(name)) continue;
          seen.add(name);
          this.#keys.push(key);
          if (!this.#flat) this.tree.add(key);
        }
        if (performance.now() - drawn > 250) { this.#drawAll(false); drawn = performance.now(); }
      } while (cursor !== '0');
    } catch (failure) { note(failure.message, true); }
    if (run !== this.#run && !this.#stopped) return; // another scan has begun
    this.#stopped = false;
    this.scanning = false;
    this.more.hidden = true;
    this.#drawAll(cursor === '0');
  }

  #drawAll(complete) {
    if (complete && this.#flat && this.#keys.length <= 300_000) this.#keys.sort((a, b) => (shown(a) < shown(b) ? -1 : 1));
    const n = this.#keys.length.toLocaleString();
    this.count.textContent = complete ? `${n} key${this.#keys.length === 1 ? '' : 's'}` : `${n} keys …`;
    this.list.resize(this.#flat ? this.#keys.length : this.tree.flatten().length);
    this.viewer.emptyText(this.#keys.length ? 'Choose a key' : complete ? 'No keys here. Add one, or try the Learn view.' : '');
  }

  #rebuild() {
    this.tree = new Tree(this.separator.value || ':', this.tree.opened);
    if (!this.#flat) this.#keys.forEach((k) => this.tree.add(k));
    this.#drawAll(!this.scanning);
  }

  #toggleShape() {
    this.#flat = !this.#flat;
    localStorage.setItem('heddle.flat', this.#flat ? '1' : '0');
    this.#shapeText();
    this.#rebuild();
  }

  #shapeText() {
    this.shape.textContent = this.#flat ? '☰ List' : '⌥ Tree';
    this.shape.setAttribute('aria-label', this.#flat ? 'Shown as a list; show as a tree' : 'Shown as a tree; show as a list');
    this.separator.disabled = this.#flat;
  }

  #item(i) { return this.#flat ? { key: this.#keys[i], depth: 0, label: shown(this.#keys[i]) } : this.tree.rows[i]; }

  #row(i) {
    const item = this.#item(i);
    const indent = el('span', {});
    indent.style.width = item.depth * 14 + 'px';
    if (item.node) {
      return el('div', { class: 'row folder', 'aria-expanded': String(item.open) }, indent, el('span', { class: 'fold' }, item.open ? '▾' : '▸'), el('span', { class: 'name' }, item.label), el('span', { class: 'count' }, item.node.count.toLocaleString()));
    }
    const facts = this.#facts.get(JSON.stringify(item.key));
    return el('div', { class: 'row', title: shown(item.key) }, indent, this.#flat ? null : el('span', { class: 'fold' }),
      el('span', { class: 'badge ' + (facts?.type ?? '') }, facts?.type ?? '\u00a0'), el('span', { class: 'name' }, item.label),
      el('span', { class: 'ttl' }, facts ? remaining(facts.deadline) : ''), el('span', { class: 'mem' }, facts ? size(facts.bytes) : ''));
  }

  /** Asks for type, TTL and memory of the rows that are visible and not yet known. */
  async #wantFacts() {
    if (this.#asked) return;
    const [from, to] = this.list.range();
    const wanted = [];
    for (let i = from; i < to; i++) {
      const key = this.#item(i)?.key;
      if (key !== undefined && !this.#facts.has(JSON.stringify(key))) wanted.push(key);
    }
    if (!wanted.length) return;
    this.#asked = true;
    const run = this.#run;
    try {
      const replies = await this.session.run(...wanted.flatMap((k) => [['TYPE', k], ['PTTL', k], ['MEMORY', 'USAGE', k]]));
      if (run !== this.#run) return;
      if (this.#facts.size > MOST_FACTS) this.#facts.clear();
      wanted.forEach((key, i) => {
        const [type, ttl, bytes] = replies.slice(i * 3, i * 3 + 3);
        this.#facts.set(JSON.stringify(key), { type: type?.simple ?? '', deadline: ttl >= 0 ? Date.now() + ttl : ttl, bytes });
      });
      this.list.refresh();
    } catch { /* the next rendering asks again */ } finally {
      this.#asked = false;
    }
    this.list.later();
  }

  #tick() {
    for (const [i, row] of this.list.rows()) {
      const item = this.#item(i);
      const facts = item?.key !== undefined && this.#facts.get(JSON.stringify(item.key));
      const cell = facts && facts.deadline > 0 && row.querySelector('.ttl');
      if (cell) cell.textContent = remaining(facts.deadline);
    }
    this.viewer.tick();
  }

  async #open(i, pressed) {
    const item = this.#item(i);
    if (!item) return;
    if (item.node) {
      if (pressed === 'ArrowRight' && item.open) { this.list.select(i + 1); return; }
      if (pressed === 'ArrowLeft' && !item.open) return;
      this.tree.toggle(item.node);
      this.list.resize(this.tree.flatten().length);
      return;
    }
    if (pressed === 'ArrowLeft') return;
    if (pressed === 'Delete') { await this.viewer.open(item.key); await this.viewer.remove(); return; }
    this.root.classList.add('open');
    await this.viewer.open(item.key);
  }

  #forget(key) { this.#facts.delete(JSON.stringify(key)); this.list.refresh(); }

  #removed(key) {
    const gone = JSON.stringify(key);
    this.#keys = this.#keys.filter((k) => JSON.stringify(k) !== gone);
    this.root.classList.remove('open');
    this.#rebuild();
  }

  async #add() {
    const answer = await ask('New key', { submit: 'Create', fields: [
      { name: 'key', label: 'Name' },
      { name: 'type', label: 'Type', type: 'select', options: TYPES, value: 'string', change: (inputs) => { inputs.first.parentElement.firstChild.textContent = { string: 'Value', hash: 'First field', list: 'First element', set: 'First member', zset: 'First member', stream: 'First field' }[inputs.type.value]; inputs.second.parentElement.hidden = !['hash', 'zset', 'stream'].includes(inputs.type.value); inputs.second.parentElement.firstChild.textContent = inputs.type.value === 'zset' ? 'Its score' : 'Its value'; } },
      { name: 'first', label: 'Value', type: 'area', rows: 3 },
      { name: 'second', label: 'Its value' },
      { name: 'ttl', label: 'Seconds to live (empty: for ever)', type: 'number' }] });
    if (!answer || !toBytes(answer.key).length) return;
    const { key, type, first, second, ttl } = answer;
    const make = { string: ['SET', key, first, 'NX'], hash: ['HSET', key, first, second], list: ['RPUSH', key, first], set: ['SADD', key, first], zset: ['ZADD', key, second || '0', first], stream: ['XADD', key, '*', first || 'field', second] }[type];
    try {
      if (await this.session.call('EXISTS', key)) throw new Error('there is such a key already');
      await this.session.call(...make);
      if (ttl) await this.session.call('EXPIRE', key, ttl);
      await this.scan();
      this.root.classList.add('open');
      await this.viewer.open(key);
    } catch (failure) { note(failure.message, true); }
  }
}
