// The terminal: any command, completion and help from the command table, live messages.
import { el, clear, note } from './dom.js';
import { parse, quoted } from './bytes.js';
import { draw } from './values.js';
import { Session } from './api.js';

const HISTORY = 'heddle.history';
const MOST_BLOCKS = 300;
const MOST_MESSAGES = 1000;
const SAMPLES = ['PING', 'SET greeting "hello, warp and weft"', 'HSET loom:1 threads 1200 colour indigo', 'HGETALL loom:1', 'INFO server'];

export class Terminal {
  session = new Session();
  #commands = [];
  #byName = new Map();
  #history = JSON.parse(localStorage.getItem(HISTORY) ?? '[]');
  #at = 0;
  #draft = '';
  #busy = false;
  #live = null;
  #picked = -1;
  #search = null;

  constructor(root) {
    this.out = el('div', { class: 'term-out', role: 'log', 'aria-label': 'Output', tabindex: '0' });
    this.prompt = el('span', { class: 'prompt' }, 'db0>');
    this.input = el('textarea', {
      id: 'terminal-input', rows: '1', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off',
      'aria-label': 'Commands', 'aria-autocomplete': 'list', 'aria-controls': 'completions', placeholder: 'Type a command',
      oninput: () => this.#edited(), onkeydown: (e) => this.#key(e), onblur: () => setTimeout(() => this.#hide(), 150),
    });
    this.hint = el('div', { class: 'term-hint', 'aria-live': 'polite' });
    this.list = el('ul', { class: 'complete', id: 'completions', role: 'listbox', hidden: true });
    this.stop = el('button', { class: 'danger', hidden: true, onclick: () => this.#stop() }, 'Stop');
    root.append(this.out, el('div', { class: 'term-in' }, this.list,
      el('div', { class: 'term-line' }, this.prompt, this.input, this.stop), this.hint));
    this.session.onMessage = (m) => this.#message(m);
    this.session.onState = (s) => this.#state(s);
    this.#hello();
    this.#at = this.#history.length;
    this.#help();
  }

  commands(list) {
    this.#commands = list.map((c) => ({ ...c, upper: c.name.toUpperCase() })).sort((a, b) => (a.upper < b.upper ? -1 : 1));
    this.#byName = new Map(this.#commands.map((c) => [c.upper, c]));
    this.#help();
  }

  show() { this.input.focus(); }

  #hello() {
    this.out.append(el('div', { class: 'term-hello' }, el('h1', {}, 'A real client session'),
      'Everything a client can do works here: MULTI, SELECT, SUBSCRIBE, MONITOR, blocking commands. ',
      el('span', {}, 'Tab completes, Ctrl-R searches the history, Shift-Enter starts another line.'),
      el('div', {}, SAMPLES.map((s) => el('button', { onclick: () => { this.#set(s); this.input.focus(); } }, s)))));
  }

  #set(text) {
    this.input.value = text;
    this.#grow();
    this.#help();
  }

  #grow() {
    const lines = Math.min(8, this.input.value.split('\n').length);
    this.input.style.height = 10 + 24 * lines + 'px';
  }

  #edited() {
    if (this.#search !== null) { this.#find(); return; }
    this.#grow();
    this.#help();
    this.#complete();
  }

  // ---- completion and help

  #line() {
    const before = this.input.value.slice(0, this.input.selectionStart);
    return /(?:^|\n|; )(?!.*; )([^\n]*)$/.exec(before)[1];
  }

  #specOf(line) {
    const words = line.trimStart().toUpperCase().split(/\s+/);
    return this.#byName.get(words.slice(0, 2).join(' ')) ?? this.#byName.get(words[0]);
  }

  #help() {
    const spec = this.#specOf(this.#line());
    if (!spec) {
      clear(this.hint, document.createTextNode(this.#line().trim() ? '' : 'Enter runs, Tab completes, Ctrl-R searches, Ctrl-L clears'));
      return;
    }
    const arity = spec.arity < 0 ? `at least ${-spec.arity - 1}` : spec.arity - 1;
    clear(this.hint, el('b', {}, spec.upper + ' ' + spec.syntax),
      document.createTextNode(`  ${spec.summary}  ${spec.complexity ? spec.complexity + ' · ' : ''}since ${spec.since} · ${arity} argument${arity === 1 ? '' : 's'}`));
    this.hint.title = this.hint.textContent;
  }

  #complete() {
    const typed = this.#line().trimStart().toUpperCase();
    const exact = this.#byName.get(typed.trimEnd());
    const found = !typed || (exact && typed.endsWith(' ')) ? [] : this.#commands.filter((c) => c.upper.startsWith(typed) && c.upper !== typed);
    if (!found.length || this.input.selectionStart !== this.input.value.length) { this.#hide(); return; }
    this.#picked = -1;
    clear(this.list, found.slice(0, 60).map((c, i) => el('li', { role: 'option', id: 'option-' + i, 'aria-selected': 'false', onmousedown: (e) => { e.preventDefault(); this.#take(c); } },
      el('code', {}, c.upper), el('span', {}, c.summary))));
    this.found = found;
    this.list.hidden = false;
    this.list.scrollTop = 0;
  }

  #hide() { this.list.hidden = true; this.input.removeAttribute('aria-activedescendant'); }

  #pick(step) {
    const n = this.list.children.length;
    this.list.children[this.#picked]?.setAttribute('aria-selected', 'false');
    this.#picked = (this.#picked + step + n) % n;
    const item = this.list.children[this.#picked];
    item.setAttribute('aria-selected', 'true');
    item.scrollIntoView({ block: 'nearest' });
    this.input.setAttribute('aria-activedescendant', item.id);
  }

  #take(spec) {
    const value = this.input.value;
    const typed = this.#line().trimStart();
    this.#set(value.slice(0, value.length - typed.length) + spec.upper + ' ');
    this.#hide();
    this.input.focus();
  }

  // ---- keys

  #key(e) {
    const open = !this.list.hidden;
    if (this.#search !== null && this.#searchKey(e)) return;
    if (e.ctrlKey && e.key === 'r') { e.preventDefault(); this.#startSearch(); return; }
    if (e.ctrlKey && e.key === 'l') { e.preventDefault(); clear(this.out); return; }
    if (e.ctrlKey && e.key === 'c' && this.input.selectionStart === this.input.selectionEnd) {
      if (this.#busy || this.session.info.listens) { e.preventDefault(); this.#stop(); } else this.#set('');
      return;
    }
    if (e.key === 'Tab' && !e.shiftKey && open) {
      e.preventDefault();
      if (this.found.length === 1) this.#take(this.found[0]); else this.#pick(1);
      return;
    }
    if (e.key === 'Tab' && open) { e.preventDefault(); this.#pick(-1); return; }
    if (e.key === 'Escape' && open) { e.preventDefault(); this.#hide(); return; }
    if (e.key === 'Enter' && !e.shiftKey && !e.isComposing) {
      e.preventDefault();
      if (open && this.#picked >= 0) this.#take(this.found[this.#picked]); else this.submit();
      return;
    }
    if (e.key === 'ArrowUp' || e.key === 'ArrowDown') {
      const step = e.key === 'ArrowUp' ? -1 : 1;
      if (open && (this.#picked >= 0 || step > 0)) { e.preventDefault(); this.#pick(step); return; }
      if (!this.input.value.includes('\n')) { e.preventDefault(); this.#recall(step); }
    }
  }

  #recall(step) {
    if (this.#at === this.#history.length) this.#draft = this.input.value;
    this.#at = Math.max(0, Math.min(this.#history.length, this.#at + step));
    this.#set(this.#history[this.#at] ?? this.#draft);
    this.#hide();
  }

  #startSearch() {
    this.#draft = this.input.value;
    this.#search = { match: '', skip: 0 };
    this.#hide();
    this.input.value = '';
    this.prompt.textContent = 'search:';
    this.#find();
  }

  #find() {
    const hits = this.#history.filter((h) => h.toLowerCase().includes(this.input.value.toLowerCase())).reverse();
    this.#search.match = hits[Math.min(this.#search.skip, hits.length - 1)] ?? '';
    clear(this.hint, el('b', {}, this.#search.match || 'nothing found'));
  }

  #searchKey(e) {
    if (e.ctrlKey && e.key === 'r') { e.preventDefault(); this.#search.skip++; this.#find(); return true; }
    if (e.key === 'Escape' || (e.ctrlKey && (e.key === 'g' || e.key === 'c'))) { e.preventDefault(); this.#endSearch(this.#draft); return true; }
    if (['Enter', 'Tab', 'ArrowRight'].includes(e.key)) {
      e.preventDefault();
      this.#endSearch(this.#search.match || this.#draft);
      if (e.key === 'Enter') this.submit();
      return true;
    }
    this.#search.skip = 0;
    return false;
  }

  #endSearch(text) {
    this.#search = null;
    this.#state(this.session.info);
    this.#set(text);
  }

  // ---- running

  async submit() {
    const text = this.input.value.trim();
    if (!text || this.#busy) return;
    this.#hide();
    let statements;
    try { statements = parse(text); } catch (failure) { note(failure.message, true); return; }
    this.#remember(text);
    this.#set('');
    if (statements.length === 1 && String(statements[0][0]).toLowerCase() === 'clear') { clear(this.out); return; }
    const blocks = statements.map((words) => this.#block(words));
    this.#busy = true;
    this.stop.hidden = false;
    this.#live = null;
    try {
      await this.session.stream(statements, (line) => blocks[line.index].answer(line));
      blocks.forEach((b) => b.end());
    } catch (failure) {
      blocks.forEach((b) => b.end(failure.message));
    }
    this.#busy = false;
    this.#state(this.session.info);
    this.#bottom();
  }

  #remember(text) {
    if (this.#history.at(-1) !== text && !/^\s*(auth|hello .*auth)\b/i.test(text)) this.#history.push(text);
    this.#history = this.#history.slice(-500);
    localStorage.setItem(HISTORY, JSON.stringify(this.#history));
    this.#at = this.#history.length;
  }

  #block(words) {
    const ms = el('span', { class: 'ms' });
    const reply = el('div', { class: 'reply' }, el('span', { class: 'running' }, '…'));
    const secret = /^(auth|hello)$/i.test(String(words[0]));
    const text = secret ? words[0] + ' …' : words.map((w) => (typeof w === 'string' && /^[^\s"'\\\u0000-\u001f\u007f-\u009f\u200b-\u202e]+$/.test(w) ? w : quoted(w))).join(' ');
    const box = el('div', { class: 'block' }, el('div', { class: 'cmd' }, el('span', {}, '›'), el('span', {}, text), ms), reply);
    let empty = true;
    this.#append(box);
    return {
      answer: (line) => {
        if (empty) clear(reply);
        empty = false;
        reply.append(el('div', {}, draw(line.value)));
        ms.textContent = line.ms >= 1000 ? (line.ms / 1000).toFixed(2) + ' s' : line.ms + ' ms';
        box.classList.add(line.value?.error !== undefined ? 'bad' : 'ok');
        this.#bottom();
      },
      end: (failure) => {
        if (failure) { clear(reply, el('span', { class: 'v-error' }, failure)); box.classList.add('bad'); } else if (empty) clear(reply);
      },
    };
  }

  #message(message) {
    if (!this.#live || this.#live.childElementCount > MOST_MESSAGES) {
      this.#live = el('div', { class: 'block', 'data-live': '' });
      this.#append(this.#live);
    }
    const time = el('time', {}, new Date().toLocaleTimeString());
    let content;
    if (message.dropped) content = [el('span', { class: 'warn' }, `${message.dropped} messages came too fast to be shown`)];
    else if (message.simple !== undefined) content = [el('span', {}, message.simple)];
    else if (message.push && message.push[0] === 'message') content = [el('b', {}, quoted(message.push[1])), draw(message.push[2])];
    else if (message.push && message.push[0] === 'pmessage') content = [el('b', {}, quoted(message.push[2])), draw(message.push[3])];
    else if (message.push) content = [el('span', { class: 'dim' }, message.push.map((p) => (typeof p === 'string' ? p : p === null ? '(nil)' : typeof p === 'number' ? String(p) : quoted(p))).join(' '))];
    else content = [draw(message)];
    this.#live.append(el('div', { class: 'msg' }, time, content));
    this.#bottom();
  }

  #append(box) {
    this.out.append(box);
    while (this.out.childElementCount > MOST_BLOCKS) this.out.firstElementChild.remove();
    this.#bottom();
  }

  #bottom() { this.out.scrollTop = this.out.scrollHeight; }

  #state(info) {
    if (this.#search !== null) return;
    const queued = info.queued >= 0 ? ` MULTI(${info.queued})` : '';
    const listens = info.monitors ? ' monitor' : info.listens ? ' listening' : '';
    this.prompt.textContent = `db${info.database}${queued}${listens}>`;
    this.prompt.classList.toggle('tx', info.queued >= 0 || info.listens);
    this.stop.hidden = !this.#busy && !info.listens;
  }

  /** Ends what runs or comes in: a command that waits, subscriptions, MONITOR. */
  async #stop() {
    if (this.#busy) { await this.session.cancel(); return; }
    const before = this.session.info;
    if (before.monitors) { // nothing but RESET ends MONITOR, and that would log out: a new session takes over
      this.session.close();
      await this.session.run(['SELECT', String(before.database)]);
    } else await this.session.run(['UNSUBSCRIBE'], ['PUNSUBSCRIBE'], ['SUNSUBSCRIBE'], ['CLIENT', 'TRACKING', 'OFF']);
    this.input.focus();
  }
}
