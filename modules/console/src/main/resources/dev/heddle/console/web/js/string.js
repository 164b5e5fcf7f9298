// Strings as text, JSON or bytes.
import { el, clear, note } from './dom.js';
import { toBytes, fromBytes, toHex, hexDigits, parseHex, isBinary } from './bytes.js';
import { size } from './format.js';

const WHOLE = 512 * 1024; // longer values are shown piece by piece, and not edited
const PIECE = 64 * 1024;

export class StringEditor {
  constructor(context) { Object.assign(this, context); }

  async load() {
    const length = await this.session.call('STRLEN', this.key);
    if (length > WHOLE) { await this.#pieces(length); return; }
    this.value = await this.session.call('GET', this.key);
    const json = !isBinary(this.value) && /^\s*[[{]/.test(this.value ?? '') && this.#isJson(this.value);
    this.area = el('textarea', { class: 'value-text', spellcheck: 'false', 'aria-label': 'Value' });
    this.modes = el('div', { class: 'modes', role: 'group', 'aria-label': 'Show as' }, ['Text', 'JSON', 'Hex'].map((m) => el('button', { onclick: () => this.act(() => this.#mode(m)) }, m)));
    clear(this.body, el('div', { class: 'toolbar' }, this.modes, el('span', { class: 'dim' }, size(length)), el('span', { class: 'grow' }), el('button', { class: 'primary', id: 'string-save', onclick: () => this.act(() => this.#save()) }, 'Save')), this.area);
    this.mode = null;
    this.#mode(isBinary(this.value) ? 'Hex' : json ? 'JSON' : 'Text');
  }

  #isJson(text) { try { JSON.parse(text); return true; } catch { return false; } }

  /** The bytes as they stand in the editor. */
  #bytes() {
    if (this.mode === null) return toBytes(this.value);
    if (this.mode === 'Hex') return parseHex(this.area.value);
    if (this.area.value === this.drawn) return this.current;
    return toBytes(this.area.value);
  }

  #mode(mode) {
    const bytes = this.#bytes();
    const value = fromBytes(bytes);
    if (mode !== 'Hex' && isBinary(value)) { note('These bytes are no text: they can be shown as hex only', true); return; }
    if (mode === 'JSON' && !this.#isJson(value)) { note('This is no JSON', true); return; }
    this.mode = mode;
    this.current = bytes;
    this.area.value = mode === 'Hex' ? hexDigits(bytes) : mode === 'JSON' ? JSON.stringify(JSON.parse(value), null, 2) : value;
    this.drawn = this.area.value;
    for (const b of this.modes.children) b.setAttribute('aria-pressed', String(b.textContent === mode));
  }

  async #save() {
    const bytes = this.#bytes();
    if (this.mode === 'JSON' && !this.#isJson(this.area.value)) throw new Error('this is no longer JSON: show it as text to save it anyway');
    await this.session.call('SET', this.key, fromBytes(bytes), 'XX', 'KEEPTTL');
    this.changed();
    note('Saved');
  }

  async #pieces(length) {
    const view = el('pre', { class: 'hex', tabindex: '0' });
    let at = 0;
    const more = el('button', { onclick: () => this.act(next) }, 'Load more');
    const next = async () => {
      const bytes = toBytes(await this.session.call('GETRANGE', this.key, String(at), String(at + PIECE - 1)));
      view.append(document.createTextNode(toHex(bytes).replace(/^[0-9a-f]{8}/gm, (a) => (parseInt(a, 16) + at).toString(16).padStart(8, '0')) + '\n'));
      at += bytes.length;
      more.hidden = at >= length;
    };
    clear(this.body, el('div', { class: 'toolbar dim' }, `${size(length)}: too long to be edited here`), view, el('div', { class: 'more' }, more));
    await next();
  }
}
