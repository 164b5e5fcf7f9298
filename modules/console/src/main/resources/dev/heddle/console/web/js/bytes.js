// Strings of the server are bytes. In JSON they are text if they are UTF-8, otherwise {base64}.

const strict = new TextDecoder('utf-8', { fatal: true });
const encoder = new TextEncoder();

export function toBytes(value) {
  if (value && value.base64 !== undefined) return Uint8Array.from(atob(value.base64), (c) => c.charCodeAt(0));
  if (value && value.cut !== undefined) return Uint8Array.from(atob(value.cut), (c) => c.charCodeAt(0));
  if (value && value.simple !== undefined) return encoder.encode(value.simple);
  if (value && value.text !== undefined) return toBytes(value.text);
  return encoder.encode(String(value ?? ''));
}

/** Bytes as an argument for the server. */
export function fromBytes(bytes) {
  try {
    const text = strict.decode(bytes);
    if (encoder.encode(text).length === bytes.length) return text; // not so if there was a byte order mark
  } catch { /* binary */ }
  let binary = '';
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return { base64: btoa(binary) };
}

export function isBinary(value) { return typeof value === 'object' && value !== null && (value.base64 !== undefined || value.cut !== undefined); }

const SHORT = { 7: '\\a', 8: '\\b', 9: '\\t', 10: '\\n', 13: '\\r', 34: '\\"', 92: '\\\\' };
const INVISIBLE = /[\u0000-\u001f"\\\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

function hex2(n) { return '\\x' + n.toString(16).padStart(2, '0'); }

/** In quotes, with everything escaped that could not be seen, as redis-cli does; readable letters of any script stay. */
export function quoted(value) {
  if (isBinary(value)) {
    let out = '"';
    for (const b of toBytes(value)) out += SHORT[b] ?? (b < 32 || b > 126 ? hex2(b) : String.fromCharCode(b));
    return out + '"';
  }
  return '"' + String(value).replace(INVISIBLE, (c) => {
    const code = c.charCodeAt(0);
    return SHORT[code] ?? [...encoder.encode(c)].map(hex2).join('');
  }) + '"';
}

/** As quoted(), without the quotes: for names in lists. */
export function shown(value) {
  const text = quoted(value).slice(1, -1);
  return text.replaceAll('\\"', '"').replaceAll('\\\\', '\\');
}

export function toHex(bytes) {
  const lines = [];
  for (let i = 0; i < bytes.length; i += 16) {
    const row = [...bytes.subarray(i, i + 16)];
    const left = row.map((b) => b.toString(16).padStart(2, '0')).join(' ').padEnd(47);
    const right = row.map((b) => (b > 31 && b < 127 ? String.fromCharCode(b) : '.')).join('');
    lines.push(i.toString(16).padStart(8, '0') + '  ' + left + '  ' + right);
  }
  return lines.join('\n');
}

export function hexDigits(bytes) { return [...bytes].map((b) => b.toString(16).padStart(2, '0')).join(' ').replace(/((?:.. ){15}..) /g, '$1\n'); }

export function parseHex(text) {
  const digits = text.replace(/\s+/g, '');
  if (!/^([0-9a-fA-F]{2})*$/.test(digits)) throw new Error('two hexadecimal digits for each byte, please');
  return Uint8Array.from(digits.match(/../g) ?? [], (d) => parseInt(d, 16));
}

/** Cuts a text into statements, and these into arguments, with redis-cli's quoting. Statements end with a line or with ";". */
export function parse(text) {
  const statements = [];
  let words = [];
  let i = 0;
  const end = () => { if (words.length) statements.push(words); words = []; };
  while (i < text.length) {
    const c = text[i];
    if (c === '\n') { end(); i++; continue; }
    if (/\s/.test(c)) { i++; continue; }
    if (c === ';' && (i + 1 === text.length || /\s/.test(text[i + 1]))) { end(); i++; continue; }
    const bytes = [];
    const put = (s) => bytes.push(...encoder.encode(s));
    if (c === '"' || c === "'") {
      i++;
      for (;;) {
        if (i >= text.length) throw new Error('unbalanced quotes');
        if (text[i] === c) { i++; break; }
        if (c === "'" && text[i] === '\\' && text[i + 1] === "'") { put("'"); i += 2; continue; }
        if (c === '"' && text[i] === '\\' && i + 1 < text.length) {
          const hex = /^x([0-9a-fA-F]{2})/.exec(text.slice(i + 1, i + 4));
          if (hex) { bytes.push(parseInt(hex[1], 16)); i += 4; continue; }
          put({ n: '\n', r: '\r', t: '\t', b: '\b', a: '\x07' }[text[i + 1]] ?? text[i + 1]);
          i += 2;
          continue;
        }
        const whole = String.fromCodePoint(text.codePointAt(i));
        put(whole);
        i += whole.length;
      }
      if (i < text.length && !/[\s;]/.test(text[i])) throw new Error('closing quote must be followed by a space or the end');
    } else {
      const from = i;
      while (i < text.length && !/\s/.test(text[i]) && !(text[i] === ';' && (i + 1 === text.length || /\s/.test(text[i + 1])))) i++;
      put(text.slice(from, i));
    }
    words.push(fromBytes(Uint8Array.from(bytes)));
  }
  end();
  return statements;
}
