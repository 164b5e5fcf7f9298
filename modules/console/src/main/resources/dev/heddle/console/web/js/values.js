// Draws replies by their type.
import { el } from './dom.js';
import { quoted } from './bytes.js';

export function draw(value, depth = 0) {
  if (value === null) return el('span', { class: 'v-nil' }, '(nil)');
  if (typeof value === 'number') return el('span', { class: 'v-number' }, '(integer) ' + value);
  if (typeof value === 'boolean') return el('span', { class: 'v-number' }, value ? '(true)' : '(false)');
  if (typeof value === 'string' || value.base64 !== undefined) return el('span', { class: 'v-string' }, quoted(value));
  if (Array.isArray(value)) return list(value, '(empty array)', depth);
  if (value.simple !== undefined) return el('span', { class: 'v-simple' }, value.simple);
  if (value.error !== undefined) return el('span', { class: 'v-error' }, '(error) ' + value.error);
  if (value.integer !== undefined) return el('span', { class: 'v-number' }, '(integer) ' + value.integer);
  if (value.double !== undefined) return el('span', { class: 'v-number' }, '(double) ' + value.double);
  if (value.big !== undefined) return el('span', { class: 'v-number' }, '(big number) ' + value.big);
  if (value.set !== undefined) return list(value.set, '(empty set)', depth, '~');
  if (value.push !== undefined) return list(value.push, '(empty push)', depth);
  if (value.map !== undefined) return table(value.map, depth);
  if (value.verbatim !== undefined) return el('pre', { class: 'v-text' }, typeof value.text === 'string' ? value.text : quoted(value.text));
  if (value.cut !== undefined) return el('span', { class: 'v-string' }, quoted(value), el('span', { class: 'dim' }, ` … ${value.length} bytes`));
  if (value.more !== undefined) return el('span', { class: 'dim' }, `… and ${value.more} more`);
  return el('span', {}, JSON.stringify(value));
}

function list(items, empty, depth, mark = ')') {
  if (!items.length) return el('span', { class: 'v-nil' }, empty);
  const width = String(items.length).length;
  const most = 1000;
  const rows = items.slice(0, most).map((item, i) => el('div', { class: 'v-row' },
    el('span', { class: 'v-index', style: null }, String(i + 1).padStart(width, '\u2007') + mark), draw(item, depth + 1)));
  if (items.length > most) rows.push(el('div', { class: 'dim' }, `… ${items.length - most} more are not shown`));
  return el('div', { class: 'v-list' }, rows);
}

function table(pairs, depth) {
  if (!pairs.length) return el('span', { class: 'v-nil' }, '(empty map)');
  const rows = pairs.map((pair) => (Array.isArray(pair)
    ? el('tr', {}, el('th', { scope: 'row' }, draw(pair[0], depth + 1)), el('td', {}, draw(pair[1], depth + 1)))
    : el('tr', {}, el('td', { colspan: '2' }, draw(pair)))));
  return el('table', { class: 'v-map' }, el('tbody', {}, rows));
}
