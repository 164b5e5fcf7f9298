// A plot over time, drawn by uPlot.
import uPlot from '/lib/uplot.js';
import { el, clear } from './dom.js';

const COLOURS = { light: ['#3b3fb6', '#b4540a', '#14693a', '#a3195b', '#0c6f80', '#6b6b7d'], dark: ['#a5a9ff', '#f0b866', '#6fd39a', '#ff9ecb', '#7fd3e0', '#b5b5c8'] };
const HEIGHT = 186;

export class Chart {
  #plot = null;
  #names = '';

  /**
   * @param series gives pairs of label and name, the lines to draw at present
   * @param range fixed ends of the scale
   */
  constructor(id, title, unit, series, format, range) {
    Object.assign(this, { series, format, range });
    this.box = el('div', { class: 'chart' });
    this.legend = el('div', { class: 'legend' });
    this.root = el('section', { class: 'card', id: 'chart-' + id, 'aria-label': title }, el('h2', {}, title, el('span', {}, unit)), this.legend, this.box);
    new ResizeObserver(() => this.#resize()).observe(this.box);
  }

  forget() { this.#plot?.destroy(); this.#plot = null; }

  #resize() { if (this.#plot && this.box.clientWidth) this.#plot.setSize({ width: this.box.clientWidth, height: HEIGHT }); }

  draw(sampler, from, to) {
    this.window = [from, to];
    const lines = this.series();
    const names = lines.map(([label]) => label).join();
    if (this.#plot && names !== this.#names) this.forget();
    if (!this.#plot && this.box.clientWidth) { this.#names = names; this.#make(lines); }
    if (!this.#plot) return;
    this.#plot.setData([sampler.times, ...lines.map(([, name]) => sampler.values(name))]);
    this.#values(this.#plot.cursor.idx);
    this.root.dataset.points = sampler.times.length;
    this.root.dataset.last = JSON.stringify(lines.map(([label, name]) => [label, sampler.values(name).at(-1) ?? null]));
  }

  /** Shows the values under the pointer, or the newest. */
  #values(index) {
    const data = this.#plot?.data;
    if (!data) return;
    const at = index ?? data[0].length - 1;
    [...this.legend.children].forEach((item, i) => {
      const v = data[i + 1]?.[at];
      item.lastChild.textContent = v === null || v === undefined ? '–' : this.format(v);
    });
  }

  #make(lines) {
    const style = getComputedStyle(document.documentElement);
    const dim = style.getPropertyValue('--dim').trim();
    const grid = { stroke: style.getPropertyValue('--line').trim(), width: 1 };
    const colours = COLOURS[document.documentElement.dataset.theme] ?? COLOURS.light;
    const font = '11.5px system-ui, sans-serif';
    const axis = { stroke: dim, grid, ticks: { show: false }, font };
    clear(this.box);
    clear(this.legend, lines.map(([label], i) => {
      const dot = el('i', {});
      dot.style.background = colours[i % colours.length];
      return el('span', {}, dot, label + ' ', el('b', {}));
    }));
    this.#plot = new uPlot({
      width: this.box.clientWidth, height: HEIGHT, legend: { show: false }, cursor: { y: false, points: { size: 6 }, drag: { x: false } },
      hooks: { setCursor: [(u) => this.#values(u.cursor.idx)] },
      scales: { x: { range: () => this.window }, y: { range: (u, min, max) => this.range ?? [0, Math.max(1, (max ?? 1) * 1.1)] } },
      axes: [{ ...axis, size: 34, values: (u, ticks) => ticks.map((t) => new Date(t * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false })), space: 90 }, { ...axis, size: 58, values: (u, ticks) => ticks.map((t) => this.format(t)) }],
      series: [{}, ...lines.map(([label], i) => ({ label, stroke: colours[i % colours.length], width: 1.75, points: { show: false }, spanGaps: false}))],
    }, [[], ...lines.map(() => [])], this.box);
  }
}
