// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Before an edit: reports who has a different content of the same file in another checkout. If it is known already or
 * the same everywhere, no process is started. On any failure nothing is reported, and nothing is ever denied.
 */
import { attempt } from '../../core/attempt.ts';
import { elsewhereLines } from '../../core/elsewhere-words.ts';
import { inMain } from '../../core/lease-scope.ts';
import { pausedBy } from '../../core/policy/pause.ts';
import type { Elsewhere } from '../../core/rules/elsewhere.ts';
import { readOff } from '../../install/off.ts';
import { digestBytes } from '../../repo/digest.ts';
import { hasWorktrees } from '../../repo/has-worktrees.ts';
import type { Hook, HookSpace } from '../context.ts';
import { heldUnderAnotherName } from '../events/hard-links.ts';
import { opOf } from '../events/op.ts';
import type { Located } from '../events/targets.ts';
import { context, type HookOutput } from '../output.ts';
import { compared } from './compared.ts';
import type { News } from './fresh.ts';
import { type KnownBeside, readKnown, writeKnown } from './known.ts';
import { newsOf } from './news.ts';
import { readBounded } from './read-bounded.ts';
import { tellOthers } from './tell-others.ts';

/** Lines at the edit itself; the rest follow at the next step. */
const NOW_MAX = 3;
const REST_MAX = 12;
const FILES_MAX = 8;
const ROOTS_MAX = 512;
/** Earlier marks kept for one file, in addition to the current ones. */
const OLD_MARKS = 32;

/** The notes for a writer whose call is not denied. */
export function toldBefore(hook: Hook, files: readonly Located[]): HookOutput {
  const linked = files.filter(({ target }) => target.kind === 'file' && target.links > 1);
  return context('PreToolUse', [
    ...(linked.length === 0 ? [] : heldUnderAnotherName(linked, hook.who.id)),
    ...neighbourLines(hook, files),
  ]);
}

/** Lines about agents that changed these files in another checkout, if that is news. */
export const neighbourLines = (hook: Hook, files: readonly Located[]): readonly string[] =>
  hook.dry ? [] : files.slice(0, FILES_MAX).flatMap((one) => attempt(() => before(hook, one), []));

/** After a command line: the lines left over from that. */
export const neighboursAfter = (hook: Hook): readonly string[] =>
  hasWorktrees(hook.home.repo) ? besideAfter(hook, hook.home, []) : [];

function before(hook: Hook, located: Located): readonly string[] {
  const { target, space } = located;
  const isOff = readOff(pausedBy(space, hook.home).state_dir, hook.now) !== null;
  const { lease_scope = 'apart' } = space.config.policy;
  if (!hasWorktrees(space.repo) || !space.repo.initialised || isOff || lease_scope === 'apart') return [];
  const known = readKnown(space.state_dir, hook.who.id);
  const old = known.marks.get(target.path) ?? [];
  const mine = readBounded(target.real);
  if (mine === null && target.kind !== 'missing') return [];
  const { same, fresh, roots } = compared(located, mine, known);
  // If others have it, it is what they will still have after this edit.
  const isNew = mine !== null && same.some((mark) => !old.includes(mark));
  const own = isNew ? [digestBytes(mine).slice(0, 16)] : [];
  const news = fresh.length === 0 ? [] : newsOf(hook, located, mine, fresh);
  const now = [...own, ...same, ...news.flatMap(({ marks }) => marks)];
  if (now.every((mark) => old.includes(mark))) return [];
  const told = news.filter(({ line }) => line !== null).sort((a, b) => Number(b.meets) - Number(a.meets));
  const lines = told.flatMap(({ line }) => line ?? []);
  const tags = told.map(({ id }) => tagOf(target.path, id));
  const marks = new Map(known.marks);
  marks.delete(target.path);
  marks.set(target.path, [
    ...new Set([...old.filter((mark) => !now.includes(mark)).slice(-OLD_MARKS), ...now]),
  ]);
  const said = lines.slice(0, NOW_MAX).map((line) => `guard: ${line}`);
  for (const line of said) space.named?.note?.(line);
  writeKnown(space.state_dir, hook.who.id, {
    marks,
    roots: new Map([...known.roots, ...roots].slice(-ROOTS_MAX)),
    rest: [...known.rest, ...lines.slice(NOW_MAX)],
    told: { op: opOf(hook), of: tags },
    others: [...known.others, ...tags.filter((tag) => !known.others.includes(tag))],
  });
  const isNews = ({ id, meets }: News): boolean => meets || !known.others.includes(tagOf(target.path, id));
  attempt(() => tellOthers(hook, located, told.filter(isNews)), undefined);
  return said;
}

const tagOf = (path: string, checkout: string): string => `${inMain(path)} ${checkout}`;

/** After the edit: the lines left over, and what the ledger says about the same files elsewhere, unless it was reported before. */
export function besideAfter(hook: Hook, space: HookSpace, found: readonly Elsewhere[]): readonly string[] {
  const known = attempt<KnownBeside | null>(() => readKnown(space.state_dir, hook.who.id), null);
  if (known === null) return elsewhereLines(found);
  const { rest, told } = known;
  const wasTold = ({ does, path, checkout }: Elsewhere): boolean =>
    does === 'wrote' && told.op === opOf(hook) && told.of.includes(tagOf(path, checkout));
  if (rest.length > 0 && !hook.dry) {
    space.named?.note?.(rest.slice(0, REST_MAX).join('\n'));
    attempt(() => writeKnown(space.state_dir, hook.who.id, { ...known, rest: [] }), undefined);
  }
  const more = rest.length - REST_MAX;
  return [
    ...rest.slice(0, REST_MAX),
    ...(more > 0 ? [`And ${more} more in other worktrees: see "guard forecast".`] : []),
    ...elsewhereLines(found.filter((one) => !wasTold(one))),
  ];
}
