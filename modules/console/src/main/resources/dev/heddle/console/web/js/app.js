// Starts the page: login, views, theme, keyboard.
import { el, note, ask } from './dom.js';
import * as api from './api.js';
import { Terminal } from './terminal.js';
import { Keys } from './keys.js';
import { Live } from './live.js';
import { Learn } from './learn.js';

const THEME = 'heddle.theme';
const names = ['terminal', 'keys', 'live', 'learn'];
const views = {};
let started = false;
let asking = false;

const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');

function theme() {
  root.dataset.theme = localStorage.getItem(THEME) ?? (system.matches ? 'dark' : 'light');
  dispatchEvent(new Event('themechange'));
}

function toggleTheme() {
  localStorage.setItem(THEME, root.dataset.theme === 'dark' ? 'light' : 'dark');
  theme();
}

function viewName() {
  const name = location.hash.slice(1).split('/')[0];
  return names.includes(name) ? name : 'terminal';
}

function show() {
  const name = viewName();
  for (const other of names) {
    document.getElementById('view-' + other).hidden = other !== name;
    const link = document.querySelector(`[data-view=${other}]`);
    if (other === name) link.setAttribute('aria-current', 'page'); else link.removeAttribute('aria-current');
    if (other !== name) views[other]?.hide?.();
  }
  document.title = name[0].toUpperCase() + name.slice(1) + ' · Heddle';
  views[name]?.show?.();
}

function shortcuts() {
  const rows = [['Alt 1 … 4', 'Terminal, Keys, Live, Learn'], ['/', 'Filter keys'], ['Tab', 'Complete a command'], ['Ctrl R', 'Search the history'], ['Ctrl C', 'Stop what runs or listens'], ['Ctrl L', 'Clear the terminal'], ['↑ ↓', 'History; move in lists'], ['Enter', 'Run; open a key'], ['Delete', 'Delete the selected key']];
  const dialog = el('dialog', { 'aria-label': 'Keyboard' }, el('form', { method: 'dialog' }, el('h2', {}, 'Keyboard'),
    el('dl', { class: 'shortcuts' }, rows.map(([key, text]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, text)])),
    el('div', { class: 'actions' }, el('button', { class: 'primary' }, 'Close'))));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function keyboard(e) {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) || document.querySelector('dialog[open]');
  if (e.altKey && !e.ctrlKey && /^[1-4]$/.test(e.key)) { e.preventDefault(); location.hash = names[e.key - 1]; }
  else if (!typing && e.key === '?') shortcuts();
  else if (!typing && e.key === '/') { e.preventDefault(); location.hash = 'keys'; views.keys.focusFilter(); }
}

async function logIn(text) {
  if (asking) return;
  asking = true;
  for (let message = text; ;) {
    const answer = await ask('Log in to Heddle', { text: message, submit: 'Log in', fields: [
      { name: 'user', label: 'User (empty for the default user)', autocomplete: 'username' },
      { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' }] });
    if (!answer) continue;
    try {
      await api.login(answer.user, answer.password);
      break;
    } catch (failure) { message = failure.message; }
  }
  asking = false;
  location.reload();
}

async function start() {
  let state;
  try { state = await api.state(); } catch (failure) { note(failure.message, true); setTimeout(start, 2000); return; }
  if (state.login === 'needed') { logIn('This server asks for a password.'); return; }
  document.getElementById('logout').hidden = state.login !== 'done';
  document.getElementById('status-text').textContent = `${state.user} · port ${state.port}`;
  if (started) return;
  started = true;
  const section = (name) => document.getElementById('view-' + name);
  views.terminal = new Terminal(section('terminal'));
  views.keys = new Keys(section('keys'));
  views.live = new Live(section('live'), document.getElementById('status-text'));
  views.learn = new Learn(section('learn'));
  show();
  try { views.terminal.commands(await api.catalog()); } catch (failure) { note(failure.message, true); }
}

theme();
system.addEventListener('change', theme);
addEventListener('hashchange', show);
addEventListener('keydown', keyboard);
addEventListener('pagehide', () => { for (const view of Object.values(views)) view.session?.close(); });
document.getElementById('theme').addEventListener('click', toggleTheme);
document.getElementById('help').addEventListener('click', shortcuts);
document.getElementById('logout').addEventListener('click', async () => { await api.logout(); location.reload(); });
api.whenLoginNeeded(() => { if (started) logIn('Please log in again.'); });
start();
