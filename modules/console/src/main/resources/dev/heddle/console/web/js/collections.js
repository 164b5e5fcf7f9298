// Hashes, lists, sets and sorted sets: a table that is filled page by page, and edited row by row.
import { el, clear, note, ask } from './dom.js';
import { shown, isBinary } from './bytes.js';

const PAGE = 100;
const LONG = 2000;

/** A cell's text: long ones are cut, for the table is an overview. */
export function cell(value) {
  const text = shown(value ?? '');
  return text.length > LONG ? text.slice(0, LONG) + '…' : text;
}

function field(name, label, value) { return { name, label, value: isBinary(value) ? '' : value, type: name === 'value' ? 'area' : 'text', rows: 3 }; }

class TableEditor {
  columns = [];
  filterable = false;
  cursor = '0';

  constructor(context) { Object.assign(this, context); }

  async load() {
    this.filter = el('input', { type: 'search', placeholder: 'Filter: pattern*', 'aria-label': 'Filter elements', hidden: !this.filterable, onkeydown: (e) => { if (e.key === 'Enter') this.act(() => this.restart()); } });
    this.total = el('span', { class: 'dim' });
    this.rows = el('tbody', {});
    this.more = el('button', { onclick: () => this.act(() => this.page()) }, 'Load more');
    clear(this.body,
      el('div', { class: 'toolbar' }, this.filter, this.total, el('span', { class: 'grow' }), this.buttons()),
      el('table', { class: 'items' }, el('thead', {}, el('tr', {}, this.columns.map((c) => el('th', { scope: 'col' }, c)), el('th', { scope: 'col' }, el('span', { class: 'dim' }, '\u00a0')))), this.rows),
      el('div', { class: 'more' }, this.more));
    await this.restart();
  }

  buttons() { return [el('button', { class: 'primary', onclick: () => this.act(() => this.add()) }, '+ Add')]; }

  async restart() {
    this.cursor = '0';
    this.shownRows = 0;
    clear(this.rows);
    const n = await this.session.call(this.lengthCommand, this.key);
    this.total.textContent = `${n.toLocaleString()} ${n === 1 ? this.noun : this.noun + 's'}`;
    this.length = n;
    await this.page();
  }

  async page() {
    const items = await this.fetch();
    for (const item of items) this.rows.append(this.row(item));
    this.shownRows += items.length;
    this.more.hidden = this.isDone();
  }

  isDone() { return this.cursor === '0'; }

  pattern() {
    const text = this.filter.value;
    return !text ? [] : ['MATCH', /[*?[\\]/.test(text) ? text : `*${text}*`];
  }

  row(item) {
    return el('tr', {}, this.cells(item).map((c) => el('td', {}, cell(c))), el('td', { class: 'do' },
      this.edit && el('button', { class: 'icon', title: 'Edit', 'aria-label': 'Edit', onclick: () => this.act(() => this.edit(item)) }, '✎'),
      el('button', { class: 'icon danger', title: 'Remove', 'aria-label': 'Remove', onclick: () => this.act(() => this.drop(item)) }, '✕')));
  }

  async confirmDrop(what) { return ask('Remove this?', { text: cell(what), submit: 'Remove', danger: true }); }

  async done() {
    this.changed();
    if (await this.session.call('EXISTS', this.key)) await this.restart(); else await this.reopen();
  }

  /** Reads with a *SCAN command until there is a page, so that a rare match does not need many clicks. */
  async scan(command) {
    let items = [];
    do {
      const reply = await this.session.call(command, this.key, this.cursor, ...this.pattern(), 'COUNT', String(PAGE * 2));
      this.cursor = String(reply[0]);
      items = items.concat(reply[1]);
    } while (this.cursor !== '0' && items.length < PAGE);
    return items;
  }
}

function pairs(flat) { return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]); }

export class HashEditor extends TableEditor {
  columns = ['Field', 'Value'];
  filterable = true;
  lengthCommand = 'HLEN';
  noun = 'field';
  cells(item) { return item; }
  async fetch() { return pairs(await this.scan('HSCAN')); }

  async add() {
    const a = await ask('New field', { fields: [field('name', 'Field'), field('value', 'Value')], submit: 'Add' });
    if (!a) return;
    if (!(await this.session.call('HSETNX', this.key, a.name, a.value))) throw new Error('there is such a field already');
    await this.done();
  }

  async edit([name, value]) {
    const a = await ask('Edit ' + cell(name), { fields: [field('value', isBinary(value) ? 'Value (now binary)' : 'Value', value)], submit: 'Save' });
    if (!a) return;
    await this.session.call('HSET', this.key, name, a.value);
    await this.done();
  }

  async drop([name]) {
    if (!(await this.confirmDrop(name))) return;
    await this.session.call('HDEL', this.key, name);
    await this.done();
  }
}

export class ListEditor extends TableEditor {
  columns = ['Index', 'Element'];
  lengthCommand = 'LLEN';
  noun = 'element';
  cells(item) { return [String(item.index), item.value]; }
  isDone() { return this.shownRows >= this.length; }
  buttons() { return [el('button', { onclick: () => this.act(() => this.add('LPUSH')) }, '+ At the head'), el('button', { class: 'primary', onclick: () => this.act(() => this.add('RPUSH')) }, '+ At the tail')]; }

  async fetch() {
    const from = this.shownRows;
    const values = await this.session.call('LRANGE', this.key, String(from), String(from + PAGE - 1));
    return values.map((value, i) => ({ index: from + i, value }));
  }

  async add(command) {
    const a = await ask('New element', { fields: [field('value', 'Element')], submit: 'Add' });
    if (!a) return;
    await this.session.call(command, this.key, a.value);
    await this.done();
  }

  /** What the index means may have changed since it was shown: nothing is done then. */
  async check(item) {
    const now = await this.session.call('LINDEX', this.key, String(item.index));
    if (JSON.stringify(now) !== JSON.stringify(item.value)) { await this.restart(); throw new Error('the list has changed meanwhile: look again'); }
  }

  async edit(item) {
    const a = await ask(`Edit element ${item.index}`, { fields: [field('value', 'Element', item.value)], submit: 'Save' });
    if (!a) return;
    await this.check(item);
    await this.session.call('LSET', this.key, String(item.index), a.value);
    await this.done();
  }

  async drop(item) {
    if (!(await this.confirmDrop(item.value))) return;
    await this.check(item);
    const mark = 'removed-' + crypto.getRandomValues(new Uint32Array(4)).join('-');
    const replies = await this.session.run(['MULTI'], ['LSET', this.key, String(item.index), mark], ['LREM', this.key, '1', mark], ['EXEC']);
    if (replies[3]?.error) throw new Error(replies[3].error);
    await this.done();
  }
}

export class SetEditor extends TableEditor {
  columns = ['Member'];
  filterable = true;
  lengthCommand = 'SCARD';
  noun = 'member';
  cells(item) { return [item]; }
  async fetch() { return this.scan('SSCAN'); }

  async add() {
    const a = await ask('New member', { fields: [field('value', 'Member')], submit: 'Add' });
    if (!a) return;
    if (!(await this.session.call('SADD', this.key, a.value))) note('It was a member already');
    await this.done();
  }

  async edit(item) {
    const a = await ask('Replace member', { fields: [field('value', 'Member', item)], submit: 'Save' });
    if (!a) return;
    await this.session.run(['MULTI'], ['SREM', this.key, item], ['SADD', this.key, a.value], ['EXEC']);
    await this.done();
  }

  async drop(item) {
    if (!(await this.confirmDrop(item))) return;
    await this.session.call('SREM', this.key, item);
    await this.done();
  }
}

const score = (s) => (typeof s === 'object' && s !== null ? (s.double ?? s.integer) : String(s));

export class ZsetEditor extends TableEditor {
  columns = ['Score', 'Member'];
  filterable = true;
  lengthCommand = 'ZCARD';
  noun = 'member';
  cells([member, points]) { return [score(points), member]; }
  isDone() { return this.filter.value ? this.cursor === '0' : this.shownRows >= this.length; }

  async fetch() {
    if (this.filter.value) return pairs(await this.scan('ZSCAN'));
    const reply = await this.session.call('ZRANGE', this.key, String(this.shownRows), String(this.shownRows + PAGE - 1), 'WITHSCORES');
    return reply.length && Array.isArray(reply[0]) ? reply : pairs(reply);
  }

  async add() {
    const a = await ask('New member', { fields: [field('name', 'Member'), { name: 'score', label: 'Score', value: '0' }], submit: 'Add' });
    if (!a) return;
    await this.session.call('ZADD', this.key, 'NX', a.score, a.name);
    await this.done();
  }

  async edit([member, points]) {
    const a = await ask('Edit ' + cell(member), { fields: [{ name: 'score', label: 'Score', value: score(points) }], submit: 'Save' });
    if (!a) return;
    await this.session.call('ZADD', this.key, 'XX', a.score, member);
    await this.done();
  }

  async drop([member]) {
    if (!(await this.confirmDrop(member))) return;
    await this.session.call('ZREM', this.key, member);
    await this.done();
  }
}
