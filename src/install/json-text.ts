/**
 * Edits JSON text in place: every byte outside the edited spot stays. Pure: text in, text out. The input is always strict
 * JSON (settings-text.ts ensures that), so offsets of the tree are exact.
 */
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

export type JsonPath = readonly (string | number)[];

interface Style {
  readonly eol: string;
  /** One level of indentation. */
  readonly unit: string;
  /** The whole document is on one line, and additions stay on it. */
  readonly flat: boolean;
}

/** Replaces the value at `path`, or adds it after the last sibling, creating the objects above it. */
export function setAt(text: string, path: JsonPath, value: unknown): string {
  const root = parseTree(text);
  const node = nodeAt(root, path);
  const style = styleOf(text, root);
  if (node !== undefined) {
    return splice(text, node.offset, node.length, rendered(style, value, indentAt(text, node.offset)));
  }
  const key = path.at(-1);
  const parent_path = path.slice(0, -1);
  const parent = nodeAt(root, parent_path);
  if (key === undefined) return rendered(style, value, '');
  const name = typeof key === 'string' ? key : null;
  if (parent === undefined) return setAt(text, parent_path, alone({ name, value }));
  return insertInto(text, style, parent, [{ name, value }]);
}

/** Adds an element at the end of the array at `path`. */
export const appendTo = (text: string, path: JsonPath, value: unknown): string =>
  appendAll(text, path, [{ name: null, value }]);

/** An element if `name` is null, else a property. */
export interface Member {
  readonly name: string | null;
  readonly value: unknown;
}

/** Adds members at the end of the array or object at `path`. Each parse takes as long as the text, so all share one. */
export function appendAll(text: string, path: JsonPath, members: readonly Member[]): string {
  const [first, ...rest] = members;
  if (first === undefined) return text;
  const root = parseTree(text);
  const node = nodeAt(root, path);
  if (node === undefined) return appendAll(setAt(text, path, alone(first)), path, rest);
  const style = styleOf(text, root);
  if (node.children?.[0] !== undefined) return insertInto(text, style, node, [first, ...rest]);
  return appendAll(insertInto(text, style, node, [first]), path, rest);
}

/** Removes the property or element at `path`, and the comma that goes with it. */
export function removeAt(text: string, path: JsonPath): string {
  const root = parseTree(text);
  const node = nodeAt(root, path);
  const container = nodeAt(root, path.slice(0, -1));
  if (node === undefined || container === undefined) return text;
  const child = container.type === 'object' ? (node.parent ?? node) : node;
  const siblings = container.children ?? [];
  const at = siblings.findIndex((sibling) => sibling.offset === child.offset);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  if (before === undefined && after === undefined) {
    return splice(text, container.offset + 1, container.length - 2, '');
  }
  const from = after === undefined && before !== undefined ? endOf(before) : child.offset;
  const to = after === undefined ? endOf(child) : after.offset;
  return splice(text, from, to - from, '');
}

function nodeAt(root: Node | undefined, path: JsonPath): Node | undefined {
  return root === undefined ? undefined : findNodeAtLocation(root, [...path]);
}

const alone = ({ name, value }: Member): unknown => (name === null ? [value] : { [name]: value });

/** All of `members`, or the only one if the container is empty. */
function insertInto(
  text: string,
  style: Style,
  container: Node,
  members: readonly [Member, ...Member[]],
): string {
  const children = container.children ?? [];
  const [first, last] = [children[0], children.at(-1)];
  if (first === undefined || last === undefined) {
    const indent = indentAt(text, container.offset);
    return splice(text, container.offset, container.length, rendered(style, alone(members[0]), indent));
  }
  const lead = text.slice(container.offset + 1, first.offset);
  const is_inline = !lead.includes('\n');
  const gap = is_inline ? (gapAfter(text, first, children[1]) ?? lead) : '';
  const indent = indentAt(text, first.offset);
  const added = members.map(({ name, value }) => {
    const key = name === null ? '' : `${JSON.stringify(name)}: `;
    return is_inline
      ? `,${gap === '' ? '' : ' '}${key}${JSON.stringify(value)}`
      : `,${style.eol}${indent}${key}${rendered(style, value, indent)}`;
  });
  return splice(text, endOf(last), 0, added.join(''));
}

/** The white space between a comma and the next sibling. */
function gapAfter(text: string, child: Node, next: Node | undefined): string | undefined {
  return next === undefined ? undefined : /\s*$/.exec(text.slice(endOf(child), next.offset))?.[0];
}

function rendered({ eol, unit, flat }: Style, value: unknown, indent: string): string {
  return flat ? JSON.stringify(value) : JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
}

function styleOf(text: string, root: Node | undefined): Style {
  const first = root?.children?.[0];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = first === undefined ? '' : indentAt(text, first.offset);
  const whole = root === undefined ? '' : text.slice(root.offset, endOf(root));
  return { eol, unit: unit === '' ? '  ' : unit, flat: first !== undefined && !whole.includes('\n') };
}

/** White space at the start of the line that contains `offset`. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

const endOf = (node: Node): number => node.offset + node.length;

const splice = (text: string, offset: number, length: number, insert: string): string =>
  text.slice(0, offset) + insert + text.slice(offset + length);
