/** What `find` would find on the disk now. */
import type { Argument, Call } from '../call.ts';
import { LIMITS } from '../limits.ts';
import { absolute, baseName, joined } from '../path.ts';
import { type Action, expressionOf, type FindExpression, type FoundEntry } from './expression.ts';

export interface FindOutcome {
  readonly printed: readonly string[];
  readonly ends_in: string;
  readonly done: ReadonlyMap<Action, readonly FoundEntry[]>;
  /** False if the result is unknown; `done` then has every action, without entries. */
  readonly is_exact: boolean;
}

export function foundBy(call: Call): FindOutcome {
  const { roots, expression } = partsOf(call.args);
  const { actions } = expression;
  const entries = expression.is_exact ? visited(call, roots, expression) : null;
  const ends_in = actions.some((action) => action.kind === 'print' && action.ends_in === '\0') ? '\0' : '\n';
  if (entries === null)
    return { printed: [], ends_in, is_exact: false, done: new Map(actions.map((it) => [it, []])) };
  const done = new Map<Action, FoundEntry[]>(actions.map((action) => [action, []]));
  for (const { entry, action } of entries.done) done.get(action)?.push(entry);
  const printing = actions.filter(({ kind }) => kind === 'print');
  const acts = actions.some(({ kind }) => kind !== 'print');
  const shown =
    printing.length > 0 ? printing.flatMap((action) => done.get(action) ?? []) : acts ? [] : entries.passed;
  return { printed: shown.map(({ path }) => path), ends_in, is_exact: true, done };
}

function partsOf(args: readonly Argument[]): { roots: readonly Argument[]; expression: FindExpression } {
  const flags = args.findIndex(({ text }) => text === null || !/^-(?:[HLP]|O\d)$/.test(text));
  const rest = flags < 0 ? [] : args.slice(flags);
  const begin = rest.findIndex(({ text }) => text !== null && /^(?:-.+|\(|!)$/.test(text));
  const roots = begin < 0 ? rest : rest.slice(0, begin);
  return { roots, expression: expressionOf(begin < 0 ? [] : rest.slice(begin)) };
}

interface Visited {
  readonly passed: readonly FoundEntry[];
  readonly done: readonly { readonly entry: FoundEntry; readonly action: Action }[];
}

/** Null if there are more entries than the limit, or the starting point is unknown. */
function visited(call: Call, roots: readonly Argument[], expression: FindExpression): Visited | null {
  const texts = roots.length === 0 ? ['.'] : roots.map(({ text }) => text);
  const open = texts.map((text) => (text === null ? null : rootEntry(call, text)));
  if (open.includes(null)) return null;
  const queue = open.filter((entry): entry is FoundEntry => entry !== null && entry !== undefined).reverse();
  const passed: FoundEntry[] = [];
  const done: { entry: FoundEntry; action: Action }[] = [];
  for (let count = 0; queue.length > 0; count++) {
    const entry = queue.pop();
    if (entry === undefined || count > LIMITS.names) return null;
    const visit = { entry, prune: false, done: (action: Action) => done.push({ entry, action }) };
    if (entry.depth >= expression.min_depth && expression.test(visit)) passed.push(entry);
    if (!visit.prune && entry.kind === 'directory' && entry.depth < expression.max_depth)
      queue.push(...childrenOf(call, entry).toReversed());
  }
  return { passed, done };
}

/** Undefined if nothing is there; null if the path is unknown. */
function rootEntry(call: Call, text: string): FoundEntry | null | undefined {
  const path = absolute(text, call.cwd);
  if (path === null) return null;
  const kind = call.start.look.kind(path);
  return kind === null ? undefined : { path: text, name: baseName(text), kind, depth: 0 };
}

function childrenOf({ start, cwd }: Call, { path, depth }: FoundEntry): readonly FoundEntry[] {
  const dir = absolute(path, cwd) ?? '/';
  const before = path.endsWith('/') ? path : `${path}/`;
  return start.look.list(dir).flatMap((name) => {
    const kind = start.look.kind(joined(dir, name));
    return kind === null ? [] : [{ path: before + name, name, kind, depth: depth + 1 }];
  });
}
