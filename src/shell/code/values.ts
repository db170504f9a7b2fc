/** What an expression is, as far as its text says. */
import { dirName, extensionOf, joined } from '../path.ts';
import { dotted, type Expression } from './expression.ts';
import { askedOfDisk } from './listing-calls.ts';
import { nameOf } from './modules.ts';
import type { Part } from './tokens.ts';
import { type CodeScope, eachOf, listed, MOST_TEXTS, NOBODY_KNOWS, of, type Value } from './value.ts';

export { NOBODY_KNOWS } from './value.ts';
export type { Value } from './value.ts';

export function valueOf(expression: Expression, known: CodeScope): Value {
  switch (expression.is) {
    case 'text':
      return { texts: filled(expression.parts, known) };
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
      return {
        texts: crossed(
          valueOf(expression.left, known).texts,
          valueOf(expression.right, known).texts,
          expression.sign === '/' ? inside : plus,
        ),
      };
    case 'call':
      return called(expression, known);
    default:
      return NOBODY_KNOWS;
  }
}

function filled(parts: readonly Part[], known: CodeScope): readonly (string | null)[] {
  let texts: readonly (string | null)[] = [''];
  for (const part of parts) {
    const more =
      typeof part === 'string'
        ? [part]
        : part.name === null
          ? [null]
          : (known.names.get(part.name)?.texts ?? [null]);
    texts = crossed(texts, more, plus);
  }
  return texts;
}

const plus = (left: string, right: string): string => left + right;
const inside = (dir: string, name: string): string =>
  name.startsWith('/') ? name : dir === '' ? name : joined(dir, name);

function crossed(
  left: readonly (string | null)[],
  right: readonly (string | null)[],
  join: (a: string, b: string) => string,
) {
  if (left.length * right.length > MOST_TEXTS) return [null];
  return left.flatMap((a) => right.map((b) => (a === null || b === null ? null : join(a, b))));
}

function named(expression: Expression, known: CodeScope): Value {
  const name = dotted(expression);
  if (name === null)
    return expression.is === 'member' && expression.name === 'parent'
      ? each(valueOf(expression.of, known), dirName)
      : NOBODY_KNOWS;
  const value = known.names.get(name);
  if (value !== undefined) return value;
  const args = known.arguments_of(known.full(name));
  if (args !== null) return listed(args.map(({ text }) => of(text)));
  const of_path = expression.is === 'member' ? expression : null;
  return of_path?.name === 'parent' ? each(valueOf(of_path.of, known), dirName) : NOBODY_KNOWS;
}

const each = ({ texts }: Value, change: (text: string) => string): Value => ({
  texts: texts.map((it) => (it === null ? null : change(it))),
});

function indexed({ items }: Value, { at, is_slice }: { at: number | null; is_slice: boolean }): Value {
  if (items === undefined) return NOBODY_KNOWS;
  if (is_slice) return at === null ? listed(items) : listed(items.slice(at));
  return at === null ? { texts: items.flatMap((it) => it.texts) } : (items[at] ?? NOBODY_KNOWS);
}

/** Put together as paths. */
const JOINS =
  /^(?:(?:pathlib\.)?(?:Pure)?(?:Posix)?Path|os\.path\.join|posixpath\.join|path\.(?:posix\.)?(?:join|resolve)|File\.join|Pathname|Pathname\.new|catfile|File\.Spec\.catfile|Path\.Tiny\.path)$/;
/** The text of their one argument. */
const SAME =
  /^(?:str|String|os\.fspath|os\.path\.(?:abspath|realpath|normpath)|path\.normalize|File\.expand_path|list|tuple|sorted|set|reversed|Object\.keys|Array\.from)$/;
const HERE = /^(?:os\.getcwd|(?:pathlib\.)?Path\.cwd|process\.cwd|Dir\.pwd|getcwd|cwd)$/;
/** Methods that leave a path or list what it is. */
const SAME_METHODS = /^(?:resolve|absolute|as_posix|to_s|toString|freeze|copy|sort|keys|expanduser)$/;

/** Of what is on disk; what they choose is heeded there. */
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
      values.find(({ is_walk }) => is_walk === true) ?? {
        texts: values
          .map((it) => it.texts)
          .reduce<readonly (string | null)[]>((left, right) => crossed(left, right, inside), ['']),
      }
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
  if (callee.name === 'joinpath') return { texts: crossed(receiver.texts, first.texts, inside) };
  if (callee.name === 'with_suffix')
    return {
      texts: crossed(
        receiver.texts,
        first.texts,
        (path, end) => path.slice(0, path.length - extensionOf(path).length) + end,
      ),
    };
  if (callee.name === 'with_name')
    return { texts: crossed(receiver.texts, first.texts, (path, it) => joined(dirName(path), it)) };
  return NOBODY_KNOWS;
}
