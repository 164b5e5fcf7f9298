// A list of any length of which only the visible rows exist.
import { el, clear } from './dom.js';

export const ROW = 30;
const MOST_PIXELS = 30_000_000; // browsers cannot make anything much taller

export class VirtualList {
  length = 0;
  at = -1;
  #rows = new Map();
  #frame = 0;

  /** @param draw makes the row of an index; @param open is called for the chosen row, with the key that was pressed, if any */
  constructor(label, draw, open) {
    this.draw = draw;
    this.open = open;
    this.space = el('div', {});
    this.root = el('div', { class: 'virtual', role: 'listbox', tabindex: '0', 'aria-label': label, onscroll: () => this.later(), onkeydown: (e) => this.#key(e) }, this.space);
    new ResizeObserver(() => this.later()).observe(this.root);
  }

  resize(length) {
    this.length = length;
    this.space.style.height = Math.min(MOST_PIXELS, length * ROW) + 'px';
    if (this.at >= length) this.at = length - 1;
    this.refresh();
  }

  refresh() {
    this.#rows.clear();
    clear(this.space);
    this.later();
  }

  later() {
    this.#frame ||= requestAnimationFrame(() => { this.#frame = 0; this.render(); });
  }

  range() {
    const first = Math.max(0, Math.floor(this.root.scrollTop / ROW) - 5);
    return [first, Math.min(this.length, first + Math.ceil(this.root.clientHeight / ROW) + 10)];
  }

  render() {
    const [from, to] = this.range();
    for (const [i, row] of this.#rows) if (i < from || i >= to) { row.remove(); this.#rows.delete(i); }
    for (let i = from; i < to; i++) {
      if (this.#rows.has(i)) continue;
      const row = this.draw(i);
      row.style.top = i * ROW + 'px';
      row.id = 'row-' + i;
      row.setAttribute('role', 'option');
      row.setAttribute('aria-selected', String(i === this.at));
      row.classList.toggle('at', i === this.at);
      row.addEventListener('click', () => { this.select(i); this.open(i); });
      this.#rows.set(i, row);
      this.space.append(row);
    }
    this.onRender?.(from, to, this.#rows);
  }

  rows() { return this.#rows; }

  select(i) {
    const old = this.#rows.get(this.at);
    old?.classList.remove('at');
    old?.setAttribute('aria-selected', 'false');
    this.at = Math.max(0, Math.min(this.length - 1, i));
    const top = this.at * ROW;
    if (top < this.root.scrollTop) this.root.scrollTop = top;
    else if (top + ROW > this.root.scrollTop + this.root.clientHeight) this.root.scrollTop = top + ROW - this.root.clientHeight;
    this.render();
    const row = this.#rows.get(this.at);
    row?.classList.add('at');
    row?.setAttribute('aria-selected', 'true');
    this.root.setAttribute('aria-activedescendant', 'row-' + this.at);
  }

  #key(e) {
    const page = Math.max(1, Math.floor(this.root.clientHeight / ROW) - 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.length, End: this.length }[e.key];
    if (step !== undefined && this.length) { e.preventDefault(); this.select(this.at + step); }
    else if (['Enter', ' ', 'ArrowRight', 'ArrowLeft', 'Delete'].includes(e.key) && this.at >= 0) { e.preventDefault(); this.open(this.at, e.key); }
  }
}
