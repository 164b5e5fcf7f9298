// Below the plots: slow log, clients, configuration.
import { el, clear, note, ask } from './dom.js';
import { shown } from './bytes.js';
import { duration } from './format.js';

function head(...names) { return el('thead', {}, el('tr', {}, names.map((n) => el('th', { scope: 'col' }, n)))); }

export class Tables {
  constructor(session) {
    this.session = session;
    this.slow = el('tbody', {});
    this.clients = el('tbody', {});
    this.config = el('tbody', {});
    this.filter = el('input', { type: 'search', id: 'config-filter', placeholder: 'Filter settings', 'aria-label': 'Filter settings', oninput: () => this.#drawConfig() });
    const card = (title, load, extra, table) => el('section', { class: 'card', 'aria-label': title }, el('div', { class: 'toolbar' }, el('h2', {}, title), el('span', { class: 'grow' }), extra, el('button', { onclick: () => this.#do(load) }, 'Refresh')), el('div', { class: 'scroll', tabindex: '0' }, table));
    this.root = el('div', { class: 'live-tables', id: 'live-tables' },
      card('Slow log', () => this.#loadSlow(), el('button', { onclick: () => this.#do(() => this.#resetSlow()) }, 'Clear'), el('table', {}, head('When', 'Took', 'Command', 'Client'), this.slow)),
      card('Clients', () => this.#loadClients(), null, el('table', {}, head('Id', 'Address', 'Name', 'Age', 'Idle', 'Db', 'Last command', '\u00a0'), this.clients)),
      card('Configuration', () => this.#loadConfig(), this.filter, el('table', {}, head('Setting', 'Value', '\u00a0'), this.config)));
    this.settings = [];
  }

  load() {
    this.#do(() => this.#loadSlow());
    this.#do(() => this.#loadClients());
    this.#do(() => this.#loadConfig());
  }

  async #do(action) { try { await action(); } catch (failure) { note(failure.message, true); } }

  async #loadSlow() {
    const entries = await this.session.call('SLOWLOG', 'GET', '50');
    clear(this.slow, entries.length ? entries.map(([, at, took, args, client]) => el('tr', {}, el('td', {}, new Date(at * 1000).toLocaleTimeString()), el('td', { class: 'num' }, (took / 1000).toFixed(1) + ' ms'), el('td', { class: 'code' }, args.map(shown).join(' ').slice(0, 300)), el('td', {}, client)))
      : el('tr', {}, el('td', { colspan: '4', class: 'dim' }, 'No slow commands.')));
  }

  async #resetSlow() { await this.session.call('SLOWLOG', 'RESET'); await this.#loadSlow(); }

  async #loadClients() {
    const list = await this.session.call('CLIENT', 'LIST');
    const text = typeof list === 'string' ? list : list.text ?? '';
    const rows = text.trim().split('\n').map((line) => Object.fromEntries(line.trim().split(' ').map((f) => [f.slice(0, f.indexOf('=')), f.slice(f.indexOf('=') + 1)])));
    clear(this.clients, rows.slice(0, 500).map((c) => el('tr', { 'data-client': c.id }, el('td', { class: 'num' }, c.id), el('td', {}, c.addr), el('td', {}, c.name || el('span', { class: 'dim' }, c['lib-name'])), el('td', {}, duration(Number(c.age))), el('td', {}, duration(Number(c.idle))), el('td', {}, c.db), el('td', { class: 'code' }, c.cmd),
      el('td', {}, Number(c.id) === this.session.client ? el('span', { class: 'dim' }, 'this page') : el('button', { class: 'danger', onclick: () => this.#do(() => this.#kill(c)) }, 'Kill')))));
  }

  async #kill(client) {
    if (!(await ask('End this connection?', { text: `Client ${client.id} at ${client.addr}`, submit: 'Kill', danger: true }))) return;
    await this.session.call('CLIENT', 'KILL', 'ID', client.id);
    await this.#loadClients();
  }

  async #loadConfig() {
    const reply = await this.session.call('CONFIG', 'GET', '*', 'console-port', 'console-bind', 'console-hosts');
    this.settings = reply.map;
    this.#drawConfig();
  }

  #drawConfig() {
    const wanted = this.filter.value.toLowerCase();
    clear(this.config, this.settings.filter(([name]) => name.includes(wanted)).map(([name, value]) => el('tr', { 'data-setting': name }, el('td', { class: 'code' }, name), el('td', { class: 'code' }, /pass|masterauth/.test(name) && value ? '••••' : shown(value) || el('span', { class: 'dim' }, '(empty)')),
      el('td', { class: 'num' }, el('button', { onclick: () => this.#do(() => this.#edit(name, value)) }, 'Edit')))));
  }

  async #edit(name, value) {
    const answer = await ask(name, { fields: [{ name: 'value', label: 'Value', value: /pass|masterauth/.test(name) ? '' : value }], submit: 'Set' });
    if (!answer) return;
    await this.session.call('CONFIG', 'SET', name, answer.value);
    note(`${name} is set; CONFIG REWRITE keeps it beyond a restart`);
    await this.#loadConfig();
  }
}
