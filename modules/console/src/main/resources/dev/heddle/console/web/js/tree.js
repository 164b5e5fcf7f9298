// Keys as a tree: what stands before a separator is a folder.
import { shown, isBinary } from './bytes.js';

const natural = new Intl.Collator('en', { numeric: true });
const MOST_NATURAL = 50_000;

function order(n) { return n > MOST_NATURAL ? (a, b) => (a < b ? -1 : 1) : natural.compare; }

class Node {
  children = new Map();
  keys = [];
  count = 0;
  sorted = false;
  constructor(label, path) { this.label = label; this.path = path; }
}

export class Tree {
  rows = [];

  constructor(separator = ':', opened = new Set()) {
    this.separator = separator;
    this.opened = opened;
    this.top = new Node('', '');
  }

  add(key) {
    const parts = isBinary(key) ? [shown(key)] : key.split(this.separator);
    let node = this.top;
    node.count++;
    for (let i = 0; i < parts.length - 1; i++) {
      let child = node.children.get(parts[i]);
      if (!child) {
        child = new Node(shown(parts[i]) + this.separator, node.path + parts[i] + this.separator);
        node.children.set(parts[i], child);
        node.sorted = false;
      }
      node = child;
      node.count++;
    }
    node.keys.push({ key, label: shown(parts.at(-1)) || '(empty)' });
    node.sorted = false;
  }

  toggle(node) { if (!this.opened.delete(node.path)) this.opened.add(node.path); }

  flatten() {
    this.rows = [];
    this.#walk(this.top, 0);
    return this.rows;
  }

  #walk(node, depth) {
    if (!node.sorted) {
      node.children = new Map([...node.children].sort(([a], [b]) => natural.compare(a, b)));
      const compare = order(node.keys.length);
      node.keys.sort((a, b) => compare(a.label, b.label));
      node.sorted = true;
    }
    for (const child of node.children.values()) {
      const open = this.opened.has(child.path);
      this.rows.push({ node: child, depth, open, label: child.label });
      if (open) this.#walk(child, depth + 1);
    }
    for (const { key, label } of node.keys) this.rows.push({ key, depth, label });
  }
}
