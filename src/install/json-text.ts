/**
 * JSON text that is edited in place: every byte outside the edited spot stays. Pure: text in, text out.
 * Only strict JSON comes in here (settings-text.ts sees to that), so offsets of the tree are exact.
 */
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import type { Node } from 'jsonc-parser';

export type JsonPath = readonly (string | number)[];

interface Style {
  readonly eol: string;
  /** One level of indentation. */
  readonly unit: string;
  /** The whole document is on one line: what is added stays on it. */
  readonly flat: boolean;
}

/** Replaces the value at `path`, or adds it, with the objects on the way to it, after the last sibling. */
export function setAt(text: string, path: JsonPath, value: unknown): string {
  const node = nodeAt(text, path);
  if (node !== undefined)
    return splice(text, node.offset, node.length, rendered(text, value, indentAt(text, node.offset)));
  const key = path.at(-1);
  const parent_path = path.slice(0, -1);
  if (path.length === 0) return rendered(text, value, '');
  const parent = nodeAt(text, parent_path);
  if (parent === undefined)
    return setAt(text, parent_path, typeof key === 'string' ? { [key]: value } : [value]);
  return insertInto(text, parent, typeof key === 'string' ? key : null, value);
}

/** Adds an element at the end of the array at `path`. */
export function appendTo(text: string, path: JsonPath, value: unknown): string {
  const node = nodeAt(text, path);
  return node === undefined ? setAt(text, path, [value]) : insertInto(text, node, null, value);
}

/** Removes the property or element at `path`, and the comma that goes with it. */
export function removeAt(text: string, path: JsonPath): string {
  const node = nodeAt(text, path);
  const container = nodeAt(text, path.slice(0, -1));
  if (node === undefined || container === undefined) return text;
  const child = container.type === 'object' ? (node.parent ?? node) : node;
  const siblings = container.children ?? [];
  const at = siblings.findIndex((sibling) => sibling.offset === child.offset);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  if (before === undefined && after === undefined)
    return splice(text, container.offset + 1, container.length - 2, '');
  const from = after === undefined && before !== undefined ? endOf(before) : child.offset;
  const to = after === undefined ? endOf(child) : after.offset;
  return splice(text, from, to - from, '');
}

function nodeAt(text: string, path: JsonPath): Node | undefined {
  const root = parseTree(text);
  return root === undefined ? undefined : findNodeAtLocation(root, [...path]);
}

function insertInto(text: string, container: Node, key: string | null, value: unknown): string {
  const children = container.children ?? [];
  const [first, last] = [children[0], children.at(-1)];
  if (first === undefined || last === undefined) {
    const indent = indentAt(text, container.offset);
    const whole = key === null ? [value] : { [key]: value };
    return splice(text, container.offset, container.length, rendered(text, whole, indent));
  }
  const lead = text.slice(container.offset + 1, first.offset);
  if (!lead.includes('\n')) {
    const gap = children.length > 1 ? /\s*$/.exec(text.slice(endOf(first), children[1]?.offset))?.[0] : lead;
    return splice(text, endOf(last), 0, `,${gap === '' ? '' : ' '}${member(key, JSON.stringify(value))}`);
  }
  const { eol } = styleOf(text);
  const indent = indentAt(text, first.offset);
  return splice(text, endOf(last), 0, `,${eol}${indent}${member(key, rendered(text, value, indent))}`);
}

const member = (key: string | null, value: string): string =>
  key === null ? value : `${JSON.stringify(key)}: ${value}`;

function rendered(text: string, value: unknown, indent: string): string {
  const { eol, unit, flat } = styleOf(text);
  return flat ? JSON.stringify(value) : JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
}

function styleOf(text: string): Style {
  const root = parseTree(text);
  const first = root?.children?.[0];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = first === undefined ? '' : indentAt(text, first.offset);
  const whole = root === undefined ? '' : text.slice(root.offset, endOf(root));
  return { eol, unit: unit === '' ? '  ' : unit, flat: first !== undefined && !whole.includes('\n') };
}

/** White space at the start of the line that `offset` is on. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

const endOf = (node: Node): number => node.offset + node.length;

const splice = (text: string, offset: number, length: number, insert: string): string =>
  text.slice(0, offset) + insert + text.slice(offset + length);
