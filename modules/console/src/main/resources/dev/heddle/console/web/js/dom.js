// Makes elements. Text only ever becomes a text node: nothing that comes from the server is parsed as HTML.

export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'class') node.className = value;
    else if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name in node && typeof value !== 'string') node[name] = value;
    else if (name === 'value') node.value = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat()) {
    if (child === undefined || child === null || child === false) continue;
    node.append(child.nodeType ? child : document.createTextNode(String(child)));
  }
  return node;
}

export function clear(node, ...children) {
  node.replaceChildren(...children.flat().filter((c) => c !== null && c !== undefined && c !== false));
  return node;
}

export function note(text, bad = false) {
  const box = el('div', { class: bad ? 'note bad' : 'note' }, text);
  document.getElementById('notes').append(box);
  setTimeout(() => box.remove(), bad ? 7000 : 3000);
}

/** Asks in a dialog; resolves to an object of the fields' values, or null. */
export function ask(title, { text, fields = [], submit = 'OK', danger = false } = {}) {
  return new Promise((resolve) => {
    const inputs = {};
    const rows = fields.map((f) => {
      const id = 'field-' + f.name;
      const props = { id, name: f.name, value: f.value ?? '', placeholder: f.placeholder, autocomplete: 'off', spellcheck: 'false' };
      if (f.type === 'select') {
        inputs[f.name] = el('select', { id, name: f.name }, f.options.map((o) => el('option', { value: o }, o)));
        inputs[f.name].value = f.value ?? f.options[0];
      } else if (f.type === 'area') {
        inputs[f.name] = el('textarea', { ...props, rows: String(f.rows ?? 5) });
      } else {
        inputs[f.name] = el('input', { ...props, type: f.type ?? 'text', autocomplete: f.autocomplete ?? 'off' });
      }
      if (f.change) inputs[f.name].addEventListener('change', () => f.change(inputs));
      return el('div', { class: 'field' }, el('label', { for: id }, f.label), inputs[f.name]);
    });
    const dialog = el('dialog', { 'aria-label': title },
      el('form', { method: 'dialog', onsubmit: (e) => { e.preventDefault(); finish(true); } },
        el('h2', {}, title), text && el('p', {}, text), rows,
        el('div', { class: 'actions' },
          el('button', { type: 'button', onclick: () => finish(false) }, 'Cancel'),
          el('button', { type: 'submit', class: danger ? 'danger' : 'primary' }, submit))));
    function finish(ok) {
      const values = Object.fromEntries(Object.entries(inputs).map(([n, i]) => [n, i.value]));
      dialog.close();
      dialog.remove();
      resolve(ok ? values : null);
    }
    dialog.addEventListener('cancel', (e) => { e.preventDefault(); finish(false); });
    document.body.append(dialog);
    dialog.showModal();
    for (const f of fields) if (f.change) f.change(inputs);
    (inputs[fields[0]?.name] ?? dialog.querySelector('[type=submit]')).focus();
  });
}
