// The guided tour, in a database of its own.
import { el, clear, note } from './dom.js';
import { parse } from './bytes.js';
import { draw } from './values.js';
import { Session } from './api.js';
import { LESSONS } from './lessons.js';

const DONE = 'heddle.learned';

export class Learn {
  session = new Session();
  #done = new Set(JSON.parse(localStorage.getItem(DONE) ?? '[]'));
  #steps = [];
  #ready = null;

  constructor(root) {
    this.bar = el('div', {});
    this.where = el('p', {});
    const content = [];
    for (const lesson of LESSONS) {
      content.push(el('h2', { class: 'chapter' }, lesson.title));
      for (const step of lesson.steps) content.push(this.#step(step, this.#steps.length));
    }
    root.append(el('div', { class: 'learn' }, el('h1', {}, 'Learn by doing'), this.where,
      el('div', { class: 'progress', role: 'progressbar', 'aria-label': 'Steps done', 'aria-valuemin': '0', 'aria-valuemax': String(this.#steps.length) }, this.bar),
      content, el('div', { class: 'actions' }, el('button', { onclick: () => this.#again() }, 'Start again'))));
    this.#progress();
  }

  show() {
    this.#ready ??= this.#scratch().catch((failure) => { this.#ready = null; this.where.textContent = failure.message; this.where.className = 'bad'; return false; });
  }

  hide() {}

  /** Looks for a database in which there is nothing but what the tour itself has left. */
  async #scratch() {
    const reply = await this.session.call('CONFIG', 'GET', 'databases').catch(() => ({ map: [['databases', '16']] }));
    for (let db = Number(reply.map[0]?.[1] ?? 16) - 1; db > 0; db--) {
      const [selected, n, keys] = await this.session.run(['SELECT', String(db)], ['DBSIZE'], ['SCAN', '0', 'COUNT', '100']);
      if (selected?.error) continue;
      if (n === 0 || (n < 20 && keys[1].every((k) => typeof k === 'string' && k.startsWith('learn:')))) {
        this.session.prepare = [['SELECT', String(db)]];
        this.where.textContent = `Each step runs for real, in database ${db}, which is empty: your data are not touched. Change the commands as you like.`;
        return true;
      }
    }
    throw new Error('The tour needs an empty database, and all of them hold keys.');
  }

  #step(step, index) {
    const input = el('textarea', { rows: '1', spellcheck: 'false', 'aria-label': 'Command', value: step.command, onkeydown: (e) => { if (e.key === 'Enter' && !e.shiftKey) { e.preventDefault(); this.#run(index); } } });
    input.value = step.command;
    const result = el('div', { class: 'result', 'aria-live': 'polite' }, el('span', { class: 'expected' }, 'Expected: ' + step.expected));
    const mark = el('span', { class: 'good' });
    const box = el('article', { class: 'step', id: 'step-' + index }, el('header', {}, el('b', {}, step.title), mark), el('p', {}, step.text),
      el('div', { class: 'try' }, input, el('button', { class: 'primary', onclick: () => this.#run(index) }, 'Run')), result);
    this.#steps.push({ step, input, result, mark, box });
    return box;
  }

  async #run(index) {
    const { step, input, result } = this.#steps[index];
    if (!(await this.#ready)) return;
    let replies;
    try {
      replies = await this.session.run(...parse(input.value));
    } catch (failure) { note(failure.message, true); return; }
    const reply = replies.at(-1);
    let right = false;
    try { right = step.check(reply); } catch { /* a reply of another form is not the expected one */ }
    clear(result, draw(reply), el('div', { class: right ? 'good' : 'warn' }, right ? '✓ as expected' : 'Expected: ' + step.expected));
    if (!right) return;
    this.#done.add(step.title);
    localStorage.setItem(DONE, JSON.stringify([...this.#done]));
    this.#progress();
    const next = this.#steps[index + 1];
    if (next) { next.box.scrollIntoView({ block: 'nearest', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' }); next.input.focus({ preventScroll: true }); }
  }

  #progress() {
    let current = true;
    for (const { step, mark, box } of this.#steps) {
      const done = this.#done.has(step.title);
      mark.textContent = done ? '✓ done' : '';
      box.classList.toggle('current', current && !done);
      if (!done) current = false;
    }
    const share = this.#steps.filter((s) => this.#done.has(s.step.title)).length;
    this.bar.style.width = (100 * share) / this.#steps.length + '%';
    this.bar.parentElement?.setAttribute('aria-valuenow', String(share));
  }

  async #again() {
    this.#done.clear();
    localStorage.removeItem(DONE);
    if (await this.#ready) await this.session.run(['UNLINK', ...['motto', 'visits', 'session', 'queue', 'loom', 'warm', 'used', 'scores', 'a', 'b'].map((k) => 'learn:' + k)]);
    for (const { step, input, result } of this.#steps) { input.value = step.command; clear(result, el('span', { class: 'expected' }, 'Expected: ' + step.expected)); }
    this.#progress();
  }
}
