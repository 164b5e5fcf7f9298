// Reads the server's figures once a second and keeps the last 15 minutes.
import { Session } from './api.js';

const KEPT = 900;
const TOP = 5;

function parse(text) {
  const out = {};
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0 && line[0] !== '#') out[line.slice(0, colon)] = line.slice(colon + 1);
  }
  return out;
}

/** "calls=3,usec=5" as an object. */
function fields(text) { return Object.fromEntries(text.split(',').map((f) => f.split('='))); }

export class Sampler {
  session = new Session();
  times = [];
  series = {};
  commands = []; // names of the busiest, in order
  now = null;
  onSample = () => {};
  #before = null;

  start() {
    this.#tick();
    setInterval(() => this.#tick(), 1000);
  }

  async #tick() {
    if (this.busy) return;
    this.busy = true;
    try {
      const [info, latency] = await this.session.run(['INFO', 'server', 'clients', 'memory', 'persistence', 'stats', 'commandstats', 'keyspace'], ['LATENCY', 'HISTOGRAM']);
      if (info?.error) throw new Error(info.error);
      this.#take(parse(typeof info.text === 'string' ? info.text : ''), latency?.map ?? []);
      this.failure = null;
    } catch (failure) { this.failure = failure.message; }
    this.busy = false;
    this.onSample();
  }

  #take(info, latency) {
    const at = Date.now() / 1000;
    const calls = {};
    for (const [name, value] of Object.entries(info)) if (name.startsWith('cmdstat_')) calls[name.slice(8)] = Number(fields(value).calls);
    const buckets = this.#buckets(latency);
    const n = (name) => Number(info[name] ?? 0);
    const now = { at, info, calls, buckets, hits: n('keyspace_hits'), misses: n('keyspace_misses'), evicted: n('evicted_keys'), expired: n('expired_keys'), processed: n('total_commands_processed') };
    const before = this.#before;
    this.#before = now;
    this.now = now;
    if (!before) return;
    const seconds = Math.max(0.2, at - before.at);
    const rate = (a, b) => Math.max(0, a - b) / seconds;
    const rates = Object.entries(calls).map(([name, c]) => [name, rate(c, before.calls[name] ?? 0)]);
    // what the console itself asks for is left out, so that an idle server looks idle
    const own = { info: 1 / seconds, 'latency|histogram': 1 / seconds };
    for (const r of rates) if (own[r[0]]) r[1] = Math.max(0, Math.round((r[1] - own[r[0]]) * seconds) / seconds);
    const point = { total: rates.reduce((s, [, r]) => s + r, 0) };
    for (const [name, r] of rates) if (r > 0) point['cmd ' + name] = r;
    const hits = now.hits - before.hits;
    const misses = now.misses - before.misses;
    point.hitRate = hits + misses > 0 ? (100 * hits) / (hits + misses) : null;
    Object.assign(point, {
      hits: rate(now.hits, before.hits), misses: rate(now.misses, before.misses), clients: n('connected_clients'), blocked: n('blocked_clients'),
      used: n('used_memory'), rss: n('used_memory_rss'), limit: n('maxmemory') || null, evicted: rate(now.evicted, before.evicted), expired: rate(now.expired, before.expired),
      in: rate(n('total_net_input_bytes'), Number(before.info.total_net_input_bytes)), out: rate(n('total_net_output_bytes'), Number(before.info.total_net_output_bytes)),
      aof: n('aof_current_size'), ...this.#percentiles(buckets, before.buckets) });
    this.#keep(at, point);
  }

  /** Cumulative counts of all commands together, by upper bound in microseconds. */
  #buckets(latency) {
    const sums = new Map();
    for (const [name, entry] of latency) {
      if (name === 'info' || name === 'latency|histogram') continue;
      const record = Object.fromEntries(entry.map ?? []);
      let last = 0;
      for (const [bound, count] of record.histogram_usec?.map ?? []) {
        sums.set(bound, (sums.get(bound) ?? 0) + count - last);
        last = count;
      }
    }
    return sums;
  }

  #percentiles(now, before) {
    const counts = [...now].map(([bound, c]) => [Number(bound), c - (before.get(bound) ?? 0)]).filter(([, c]) => c > 0).sort((a, b) => a[0] - b[0]);
    const total = counts.reduce((s, [, c]) => s + c, 0);
    const at = (share) => {
      let sum = 0;
      for (const [bound, c] of counts) { sum += c; if (sum >= total * share) return bound; }
      return null;
    };
    return total ? { p50: at(0.5), p99: at(0.99), p999: at(0.999) } : { p50: null, p99: null, p999: null };
  }

  #keep(at, point) {
    for (const name of Object.keys(point)) this.series[name] ??= new Array(this.times.length).fill(null);
    this.times.push(at);
    for (const [name, values] of Object.entries(this.series)) values.push(point[name] ?? (name.startsWith('cmd ') ? 0 : null));
    if (this.times.length > KEPT) {
      this.times.shift();
      for (const [name, values] of Object.entries(this.series)) {
        values.shift();
        if (name.startsWith('cmd ') && !values.some((v) => v)) delete this.series[name];
      }
    }
    const sums = Object.keys(this.series).filter((s) => s.startsWith('cmd ')).map((s) => [s, this.series[s].reduce((a, b) => a + (b ?? 0), 0)]);
    this.commands = sums.sort((a, b) => b[1] - a[1]).slice(0, TOP).map(([s]) => s);
  }

  /** The values of a series, as long as the times. */
  values(name) { return this.series[name] ?? new Array(this.times.length).fill(null); }
}
