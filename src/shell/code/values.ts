/** The value of an expression, as far as its text shows it. */
import { dirName, extensionOf, joined } from '../path.ts';
import { dotted, type Expression } from './expression.ts';
import { askedOfDisk } from './listing-calls.ts';
import { nameOf } from './modules.ts';
import type { Part } from './token.ts';
import { type CodeScope, eachOf, listed, MOST_TEXTS, NOBODY_KNOWS, of, type Value } from './value.ts';

export function valueOf(expression: Expression, known: CodeScope): Value {
  switch (expression.is) {
    case 'text':
      return filled(expression.parts, known);
    case 'name':
    case 'member':
      return named(expression, known);
    case 'list':
      return listed(
        expression.items.map((it) => valueOf(it, known)),
        expression.is_keyed,
      );
    case 'index':
      return indexed(valueOf(expression.of, known), expression);
    case 'joined':
      return crossed(
        valueOf(expression.left, known),
        valueOf(expression.right, known),
        expression.sign === '/' ? inside : plus,
      );
    case 'call':
      return called(expression, known);
    default:
      return NOBODY_KNOWS;
  }
}

const filled = (parts: readonly Part[], known: CodeScope): Value =>
  parts.map((part) => valueOfPart(part, known)).reduce((left, right) => crossed(left, right, plus), of(''));

function valueOfPart(part: Part, known: CodeScope): Value {
  if (typeof part === 'string') return of(part);
  return part.name === null ? NOBODY_KNOWS : (known.names.get(part.name) ?? NOBODY_KNOWS);
}

const plus = (left: string, right: string): string => left + right;
const inside = (dir: string, name: string): string =>
  name.startsWith('/') ? name : dir === '' ? name : joined(dir, name);

function crossed(left: Value, right: Value, join: (a: string, b: string) => string): Value {
  if (left.texts.length * right.texts.length > MOST_TEXTS) return NOBODY_KNOWS;
  const joinedTo = (a: string | null) =>
    right.texts.map((b) => (a === null || b === null ? null : join(a, b)));
  return { texts: left.texts.flatMap(joinedTo) };
}

function named(expression: Expression, known: CodeScope): Value {
  const name = dotted(expression);
  const value = name === null ? undefined : known.names.get(name);
  if (value !== undefined) return value;
  const args = name === null ? null : known.arguments_of(known.full(name));
  if (args !== null) return listed(args.map(({ text }) => of(text)));
  return expression.is === 'member' && expression.name === 'parent'
    ? each(valueOf(expression.of, known), dirName)
    : NOBODY_KNOWS;
}

const each = ({ texts }: Value, change: (text: string) => string): Value => ({
  texts: texts.map((it) => (it === null ? null : change(it))),
});

function indexed({ items }: Value, { at, is_slice }: { at: number | null; is_slice: boolean }): Value {
  if (items === undefined) return NOBODY_KNOWS;
  if (is_slice) return at === null ? listed(items) : listed(items.slice(at));
  return at === null ? { texts: items.flatMap((it) => it.texts) } : (items[at] ?? NOBODY_KNOWS);
}

/** Functions that join paths. */
const JOINS =
  /^(?:(?:pathlib\.)?(?:Pure)?(?:Posix)?Path|os\.path\.join|posixpath\.join|path\.(?:posix\.)?(?:join|resolve)|File\.join|Pathname|Pathname\.new|catfile|File\.Spec\.catfile|Path\.Tiny\.path)$/;
/** Functions that return the text of their only argument. */
const SAME =
  /^(?:str|String|os\.fspath|os\.path\.(?:abspath|realpath|normpath)|path\.normalize|File\.expand_path|list|tuple|sorted|set|reversed|Object\.keys|Array\.from)$/;
const HERE = /^(?:os\.getcwd|(?:pathlib\.)?Path\.cwd|process\.cwd|Dir\.pwd|getcwd|cwd)$/;
/** Methods that leave a path or list as it is. */
const SAME_METHODS = /^(?:resolve|absolute|as_posix|to_s|toString|freeze|copy|sort|keys|expanduser)$/;

/** Methods that select among files on disk; the selection is applied there. */
const CHOOSING = /^(?:filter|select|reject)$/;

function called({ of: callee, args }: Extract<Expression, { is: 'call' }>, known: CodeScope): Value {
  const name = known.full(dotted(callee) ?? '');
  const values = args.filter((it) => it.key === undefined).map((it) => valueOf(it.value, known));
  const [first] = values;
  const asked = {
    full: nameOf(callee, known.full),
    method: callee.is === 'member' ? callee.name : null,
    receiver: callee.is === 'member' ? valueOf(callee.of, known) : undefined,
    keys: args.flatMap(({ key }) => key ?? []),
  };
  const from_disk = askedOfDisk(asked, values, known.listed);
  if (from_disk !== null) return from_disk;
  if (JOINS.test(name))
    return (
      values.find(({ is_walk }) => is_walk === true) ??
      values.reduce((left, right) => crossed(left, right, inside), of(''))
    );
  if (HERE.test(name)) return of('.');
  if (SAME.test(name) && first !== undefined) return name === 'Object.keys' ? listed(eachOf(first)) : first;
  if (name === 'Object.entries' && first?.items !== undefined) return listed(first.items);
  if (callee.is !== 'member')
    return name === 'path' && first !== undefined && values.length === 1 ? first : NOBODY_KNOWS;
  const receiver = valueOf(callee.of, known);
  if (callee.name === 'items' || callee.name === 'entries')
    return receiver.items === undefined ? NOBODY_KNOWS : listed(receiver.items);
  if (callee.name === 'keys') return listed(eachOf(receiver));
  if (SAME_METHODS.test(callee.name) && args.length === 0) return receiver;
  if (CHOOSING.test(callee.name) && receiver.glob !== undefined) return receiver;
  if (callee.name === 'slice' && args[0]?.value.is === 'number')
    return indexed(receiver, { at: args[0].value.value, is_slice: true });
  if (first === undefined) return NOBODY_KNOWS;
  const join = JOINING.get(callee.name);
  return join === undefined ? NOBODY_KNOWS : crossed(receiver, first, join);
}

/** Methods of a path that combine it with a text into another path. */
const JOINING: ReadonlyMap<string, (path: string, it: string) => string> = new Map([
  ['joinpath', inside],
  ['with_suffix', (path, end) => path.slice(0, path.length - extensionOf(path).length) + end],
  ['with_name', (path, name) => joined(dirName(path), name)],
]);
