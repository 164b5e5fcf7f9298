// Shows and edits one key; what differs by type is in string.js, collections.js and stream.js.
import { el, clear, note, ask } from './dom.js';
import { quoted, shown } from './bytes.js';
import { size, remaining } from './format.js';
import { StringEditor } from './string.js';
import { HashEditor, ListEditor, SetEditor, ZsetEditor } from './collections.js';
import { StreamEditor } from './stream.js';

export const TYPES = ['string', 'hash', 'list', 'set', 'zset', 'stream'];
const EDITORS = { string: StringEditor, hash: HashEditor, list: ListEditor, set: SetEditor, zset: ZsetEditor, stream: StreamEditor };

export class Viewer {
  key = null;
  #deadline = -1;
  #opening = 0;

  constructor(session, hooks) {
    this.session = session;
    this.hooks = hooks;
    this.empty = el('div', { class: 'empty' }, 'Choose a key');
    this.root = el('div', { class: 'viewer' }, this.empty);
  }

  emptyText(text) { this.empty.textContent = text; }

  clear() { this.key = null; clear(this.root, this.empty); }

  async open(key) {
    const opening = ++this.#opening;
    this.key = key;
    const [type, ttl, bytes, encoding] = await this.session.run(['TYPE', key], ['PTTL', key], ['MEMORY', 'USAGE', key], ['OBJECT', 'ENCODING', key]);
    if (opening !== this.#opening) return;
    const name = type?.simple ?? 'none';
    if (name === 'none') {
      clear(this.root, el('div', { class: 'empty' }, 'This key is gone.', el('br'), el('button', { onclick: () => this.hooks.close() }, 'Back')));
      return;
    }
    this.#deadline = ttl >= 0 ? Date.now() + ttl : ttl;
    this.ttl = el('span', {});
    this.#ttlText();
    const body = el('div', { class: 'viewer-body' });
    clear(this.root,
      el('div', { class: 'viewer-head' },
        el('div', { class: 'viewer-title' }, el('button', { class: 'back', onclick: () => this.hooks.close() }, '← Keys'), el('span', { class: 'badge ' + name }, name), el('h2', { title: quoted(key) }, shown(key) || '(empty)')),
        el('div', { class: 'facts' }, this.ttl, el('span', {}, size(bytes)), el('span', {}, typeof encoding === 'string' ? encoding : ''), el('span', { class: 'grow' }),
          el('button', { onclick: () => this.#do(() => this.open(key)) }, 'Refresh'), el('button', { onclick: () => this.#do(() => this.#expire()) }, 'TTL'), el('button', { onclick: () => this.#do(() => this.#rename()) }, 'Rename'), el('button', { class: 'danger', onclick: () => this.#do(() => this.remove()) }, 'Delete'))),
      body);
    const Editor = EDITORS[name];
    if (!Editor) { clear(body, el('div', { class: 'empty' }, 'There is no viewer for this type.')); return; }
    this.editor = new Editor({ key, session: this.session, body, changed: () => this.hooks.changed(key), reopen: () => this.open(key), act: (action) => this.#do(action) });
    await this.#do(() => this.editor.load());
  }

  async #do(action) {
    try { await action(); } catch (failure) { note(failure.message, true); }
  }

  tick() { if (this.key !== null && this.#deadline > 0) this.#ttlText(); }

  #ttlText() { this.ttl.textContent = this.#deadline === -1 ? 'no expiry' : 'TTL ' + remaining(this.#deadline); }

  async #expire() {
    const now = this.#deadline > 0 ? String(Math.max(1, Math.ceil((this.#deadline - Date.now()) / 1000))) : '';
    const answer = await ask('Time to live', { fields: [{ name: 'seconds', label: 'Seconds (empty: for ever)', type: 'number', value: now }], submit: 'Set' });
    if (!answer) return;
    if (answer.seconds === '') await this.session.call('PERSIST', this.key); else await this.session.call('EXPIRE', this.key, answer.seconds);
    this.hooks.changed(this.key);
    await this.open(this.key);
  }

  async #rename() {
    const old = this.key;
    const answer = await ask('Rename', { fields: [{ name: 'name', label: 'New name', value: typeof old === 'string' ? old : '' }], submit: 'Rename' });
    if (!answer || answer.name === old) return;
    if (!(await this.session.call('RENAMENX', old, answer.name))) throw new Error('there is such a key already');
    this.hooks.renamed();
    await this.open(answer.name);
  }

  async remove() {
    const key = this.key;
    if (!(await ask('Delete this key?', { text: shown(key), submit: 'Delete', danger: true }))) return;
    await this.session.call('UNLINK', key);
    this.clear();
    this.hooks.removed(key);
    note('Deleted ' + shown(key));
  }
}
