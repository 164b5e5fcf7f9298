// The server's JSON interface: see docs/console.md.

let token = '';
let onLogin = () => {};

export function whenLoginNeeded(action) { onLogin = action; }

async function request(path, { method = 'GET', body, signal, keepalive } = {}) {
  const headers = { 'X-Heddle-Token': token };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const response = await fetch(path, { method, headers, signal, keepalive, body: body === undefined ? undefined : JSON.stringify(body), cache: 'no-store' });
  if (!response.ok) {
    let text = response.statusText;
    try { text = (await response.json()).error ?? text; } catch { /* no JSON: the status has to do */ }
    const failure = new Error(text);
    failure.status = response.status;
    if (response.status === 401 && path !== '/api/login') onLogin();
    throw failure;
  }
  return response;
}

export async function state() {
  const answer = await (await request('/api/state')).json();
  token = answer.token;
  return answer;
}

export async function login(user, password) {
  await state();
  const answer = await (await request('/api/login', { method: 'POST', body: { user, password } })).json();
  token = answer.token;
  return answer;
}

export async function logout() { await request('/api/logout', { method: 'POST', body: {} }); }

export async function catalog() { return (await request('/api/catalog')).json(); }

async function eachLine(response, action) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line) action(JSON.parse(line));
  }
}

/** A client session of this page: what MULTI, SELECT, SUBSCRIBE and the like belong to. */
export class Session {
  id = null;
  client = null;
  info = { database: 0, queued: -1, listens: false, monitors: false };
  onMessage = () => {};
  onState = () => {};
  /** Commands to run whenever the session had to be opened anew. */
  prepare = [];
  #listening = null;
  #opening = null;

  async open() {
    this.#opening ??= (async () => {
      const answer = await (await request('/api/open', { method: 'POST', body: {} })).json();
      this.id = answer.session;
      this.client = answer.client;
      this.info = { database: 0, queued: -1, listens: false, monitors: false };
      if (this.prepare.length) await this.#send(this.prepare, () => {});
    })().finally(() => { this.#opening = null; });
    await this.#opening;
  }

  /** Runs commands in order; `onReply` gets {index, ms, value} as they come. */
  async stream(commands, onReply, signal) {
    if (!this.id) await this.open();
    try {
      await this.#send(commands, onReply, signal);
    } catch (failure) {
      if (failure.status !== 410) throw failure;
      await this.open(); // the server has ended the session, because nobody used it or somebody killed it
      await this.#send(commands, onReply, signal);
    }
  }

  async #send(commands, onReply, signal) {
    const response = await request('/api/run', { method: 'POST', body: { session: this.id, commands }, signal });
    await eachLine(response, (line) => {
      if (line.end) {
        this.info = line;
        if (line.closed) this.id = null;
      } else if ('message' in line) this.onMessage(line.message);
      else onReply(line);
    });
    this.onState(this.info);
    if (this.info.listens && !this.#listening) this.#listen();
  }

  /** Runs commands and resolves to their values. */
  async run(...commands) {
    const values = commands.map(() => null);
    await this.stream(commands, (line) => { values[line.index] = line.value; });
    return values;
  }

  /** Runs one command; an error reply is thrown. */
  async call(...args) {
    const [value] = await this.run(args);
    if (value && value.error !== undefined) throw new Error(value.error);
    return value;
  }

  #listen() {
    const controller = new AbortController();
    this.#listening = controller;
    const id = this.id;
    (async () => {
      try {
        const response = await request('/api/messages', { method: 'POST', body: { session: id }, signal: controller.signal });
        await eachLine(response, (line) => {
          if ('message' in line) this.onMessage(line.message);
          else if (line.dropped) this.onMessage({ dropped: line.dropped });
          else if (line.end) { this.info = line; this.onState(line); }
        });
      } catch { /* the page goes away, or the server does: the next command will tell */ }
      if (this.#listening === controller) this.#listening = null;
    })();
  }

  async cancel() {
    if (this.id) await request('/api/cancel', { method: 'POST', body: { session: this.id } });
  }

  close() {
    this.#listening?.abort();
    this.#listening = null;
    if (this.id) request('/api/close', { method: 'POST', body: { session: this.id }, keepalive: true }).catch(() => {});
    this.id = null;
  }
}
