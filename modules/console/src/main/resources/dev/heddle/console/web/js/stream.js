// Streams: entries, and the groups that read them.
import { el, clear, ask } from './dom.js';
import { cell } from './collections.js';
import { draw } from './values.js';

const PAGE = 100;

/** A reply that is a map in RESP3 and a flat array in RESP2, as an object. */
export function record(reply) {
  if (reply?.map) return Object.fromEntries(reply.map);
  return Object.fromEntries(Array.from({ length: reply.length / 2 }, (_, i) => [reply[2 * i], reply[2 * i + 1]]));
}

export class StreamEditor {
  constructor(context) { Object.assign(this, context); }

  async load() {
    this.rows = el('tbody', {});
    this.more = el('button', { onclick: () => this.act(() => this.#page()) }, 'Load older');
    this.groups = el('div', {});
    this.facts = el('span', { class: 'dim' });
    clear(this.body,
      el('div', { class: 'toolbar' }, this.facts, el('span', { class: 'grow' }), el('button', { class: 'primary', onclick: () => this.act(() => this.#add()) }, '+ Entry')),
      this.groups,
      el('h3', { class: 'subhead' }, 'Entries, newest first'),
      el('table', { class: 'items' }, el('thead', {}, el('tr', {}, ['Id', 'Fields', '\u00a0'].map((c) => el('th', { scope: 'col' }, c)))), this.rows),
      el('div', { class: 'more' }, this.more));
    this.last = '+';
    const info = record(await this.session.call('XINFO', 'STREAM', this.key));
    this.facts.textContent = `${info.length} entries · last id ${info['last-generated-id']} · ${info.groups} group${info.groups === 1 ? '' : 's'}`;
    await this.#page();
    await this.#loadGroups();
  }

  async #page() {
    const entries = await this.session.call('XREVRANGE', this.key, this.last, '-', 'COUNT', String(PAGE));
    for (const [id, fields] of entries) {
      const text = [];
      for (let i = 0; i < (fields?.length ?? 0); i += 2) text.push(el('div', {}, el('b', {}, cell(fields[i])), ' ' + cell(fields[i + 1])));
      this.rows.append(el('tr', {}, el('td', {}, el('div', {}, id), el('div', { class: 'dim' }, new Date(Number(String(id).split('-')[0])).toLocaleString())), el('td', {}, text),
        el('td', { class: 'do' }, el('button', { class: 'icon danger', title: 'Remove', 'aria-label': 'Remove', onclick: () => this.act(() => this.#drop(id)) }, '✕'))));
      this.last = '(' + id;
    }
    this.more.hidden = entries.length < PAGE;
  }

  async #loadGroups() {
    const groups = (await this.session.call('XINFO', 'GROUPS', this.key)).map(record);
    if (!groups.length) return;
    clear(this.groups, el('h3', { class: 'subhead' }, 'Groups'), el('table', { class: 'items' },
      el('thead', {}, el('tr', {}, ['Group', 'Consumers', 'Pending', 'Last delivered', 'Lag', '\u00a0'].map((c) => el('th', { scope: 'col' }, c)))),
      el('tbody', {}, groups.map((g) => el('tr', {}, el('td', {}, cell(g.name)), el('td', {}, String(g.consumers)), el('td', {}, String(g.pending)), el('td', {}, String(g['last-delivered-id'])), el('td', {}, g.lag === null || g.lag === undefined ? '?' : String(g.lag)),
        el('td', { class: 'do' }, el('button', { onclick: () => this.act(() => this.#pending(g.name)) }, 'Pending')))))));
  }

  async #pending(group) {
    const [entries, consumers] = await this.session.run(['XPENDING', this.key, group, '-', '+', '50'], ['XINFO', 'CONSUMERS', this.key, group]);
    const dialog = el('dialog', { 'aria-label': 'Pending entries' }, el('form', { method: 'dialog' }, el('h2', {}, 'Pending in ' + cell(group)),
      el('table', { class: 'items' }, el('thead', {}, el('tr', {}, ['Id', 'Consumer', 'Idle ms', 'Delivered'].map((c) => el('th', { scope: 'col' }, c)))),
        el('tbody', {}, Array.isArray(entries) ? entries.map((e) => el('tr', {}, e.map((v) => el('td', {}, cell(v))))) : el('tr', {}, el('td', { colspan: '4' }, draw(entries))))),
      el('p', { class: 'dim' }, Array.isArray(consumers) ? consumers.map(record).map((c) => `${cell(c.name)}: ${c.pending}`).join(' · ') || 'no consumers' : ''),
      el('div', { class: 'actions' }, el('button', { class: 'primary' }, 'Close'))));
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  async #add() {
    const a = await ask('New entry', { fields: [{ name: 'id', label: 'Id', value: '*' }, { name: 'name', label: 'Field' }, { name: 'value', label: 'Value', type: 'area', rows: 3 }], submit: 'Add' });
    if (!a) return;
    await this.session.call('XADD', this.key, a.id, a.name, a.value);
    this.changed();
    await this.load();
  }

  async #drop(id) {
    if (!(await ask('Remove this entry?', { text: id, submit: 'Remove', danger: true }))) return;
    await this.session.call('XDEL', this.key, id);
    this.changed();
    await this.load();
  }
}
