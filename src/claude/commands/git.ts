// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** What the git commands of a line would touch. git itself is asked before they run. */
import { memo } from '../memo.ts';
import { hasLooseHooks, hooksIn } from './loose-hooks.ts';
import type { Objection } from '../../core/denial.ts';
import { isAlone } from '../../core/living.ts';
import { absoluteIn, fromCwd, type TouchedFile } from '../../git/act.ts';
import { foresee, type Foreseen } from '../../git/forecast.ts';
import { narrowerOf } from '../../git/narrower.ts';
import { ownersIn } from '../../git/owners.ts';
import type { GitCheckout } from '../../git/place.ts';
import { monotonic } from '../../repo/clock.ts';
import { locateRepo } from '../../repo/locate.ts';
import type { GitCall, Unresolved } from '../../shell/effects.ts';
import type { HookSpace, Hook } from '../context.ts';
import { keepMarks } from './git-made.ts';
import { othersFiles } from './git-others.ts';
import { judgeNames, resourcesOf } from './git-refs.ts';
import { patientUntil } from './patience.ts';
import { consult } from '../../store/transact.ts';
import type { Touched } from './touched.ts';

export interface Forecast {
  readonly touched: readonly Touched[];
  /** Repository-wide things that it takes or moves, as paths of the ledger (core/git-names.ts): `@git//stash`. */
  readonly resources: readonly string[];
  /** Objections that no list of files shows: another agent's stash entry, a branch that is checked out elsewhere. */
  readonly objections: readonly Objection[];
  /** Notes for the agent if the line passes. */
  readonly told: readonly string[];
  /** Targets that are known only at run time: denied only in `strict`. */
  readonly unresolved: readonly Unresolved[];
}

/** For all independent questions of one line together. */
const LIMIT_MS = 300;

/** Beyond this number, only files that concern another agent are checked. */
const FILES_MAX = 512;

/** If no one else works in a repository whose guard hooks are committed, git is not asked, which costs nothing. */
export function forecastGit(hook: Hook, calls: readonly GitCall[]): Forecast {
  keepMarks(hook, calls);
  const spaces = spacesOf(hook, calls);
  const asked = (until_ms: number): readonly Foreseen[] =>
    foresee(calls, { env: hook.env, until_ms, isOfInterest: (at) => spaces(at) !== null });
  const quick = asked(monotonic() + LIMIT_MS);
  const isAtStake = quick.some(({ is_late, at }) => {
    const space = is_late ? spaces(at) : null;
    return space !== null && isOthers(hook, space);
  });
  const found = isAtStake ? asked(patientUntil(hook)) : quick;
  const parts = found.flatMap((one) => {
    const space = spaces(one.at);
    return space === null ? [] : [partOf(hook, space, one)];
  });
  return {
    touched: parts.flatMap(({ touched }) => touched),
    resources: [...new Set(parts.flatMap(({ resources }) => resources))],
    objections: parts.flatMap(({ objections }) => objections),
    told: parts.flatMap(({ told }) => told),
    unresolved: parts.flatMap(({ unresolved }) => unresolved),
  };
}

type Spaces = (at: GitCheckout) => HookSpace | null;

/** The ledgers of repositories in which another agent is alive, or in which a clean or a stash could remove guard's own files. */
function spacesOf(hook: Hook, calls: readonly GitCall[]): Spaces {
  // Hooks that are only staged are tracked, but in no commit.
  const takes_staged = calls.some(
    ({ args }) => args.includes('reset') && ['--hard', '--merge'].some((one) => args.includes(one)),
  );
  const find = ({ root }: GitCheckout): HookSpace | null => {
    const repo = locateRepo(root, hook.env);
    const space = repo.initialised ? hook.workspace(repo) : null;
    return space !== null && (takes_staged || isShared(hook, space) || hasLooseHooks(repo)) ? space : null;
  };
  return memo(({ root }) => root, find);
}

/** Whether there is something to lose: work of others, commits and stash entries with an owner, guard's own hooks. */
const isOthers = (hook: Hook, space: HookSpace): boolean =>
  othersFiles(hook, space, null).length > 0 ||
  ownersIn(space.state_dir).size > 0 ||
  hasLooseHooks(space.repo);

const isShared = ({ who }: Hook, { store, facts }: HookSpace): boolean =>
  !consult(store, (view) => isAlone(view, who.id, facts()));

function partOf(hook: Hook, space: HookSpace, one: Foreseen): Forecast {
  const { touch, call, is_late } = one;
  const names = judgeNames(hook, space, one);
  const files = is_late ? lateFiles(hook, space, one) : expanded(hook, space, one);
  return {
    touched: files.map((file) => touchedOf(hook, one, file)),
    resources: resourcesOf(space, one),
    objections: names.objections,
    told: [...names.told, ...(is_late ? [late(call.source)] : [])],
    unresolved:
      touch.unresolved === undefined
        ? []
        : [{ source: call.source, by: 'git', reason: call.args.includes(null) ? 'variable' : 'code' }],
  };
}

function touchedOf({ input }: Hook, one: Foreseen, { path, is_tree, on_disk, loses }: TouchedFile): Touched {
  return {
    abs: absoluteIn(one.at, path),
    ...(is_tree === true ? { is_tree } : {}),
    on_disk,
    loses,
    // The narrower command must not take guard's own hooks along either, which may be in no commit yet.
    narrower: (others) => narrowerOf(one, input.cwd, on_disk ? [...others, ...hooksIn(one.at)] : others),
    source: one.call.source,
  };
}

/** Directories that are taken as a whole, and very long lists of files, are reduced to the files that concern another agent. */
function expanded(hook: Hook, space: HookSpace, { touch, at }: Foreseen): readonly TouchedFile[] {
  const files = touch.files ?? [];
  const trees = files.filter(({ is_tree }) => is_tree === true);
  const isMany = files.length > FILES_MAX;
  if (trees.length === 0 && !isMany) return files;
  // A tree may be another checkout.
  const where = [...(isMany ? [at.root] : []), ...trees.map(({ path }) => absoluteIn(at, path))];
  const theirs = new Set([...othersFiles(hook, space, where).map(({ abs }) => abs), ...hooksIn(at)]);
  const within = trees.flatMap(({ path: dir, on_disk, loses }) =>
    [...theirs]
      .filter((abs) => abs.startsWith(`${absoluteIn(at, dir)}/`))
      .map((path) => ({ path, on_disk, loses })),
  );
  if (!isMany) return [...files, ...within];
  return [...files.filter(({ path }) => theirs.has(absoluteIn(at, path))), ...within];
}

/** Commands that change no file on disk, so locks of others do not matter. */
const IN_INDEX = new Set('add stage commit branch tag update-ref push fetch reflog'.split(' '));

/** git did not answer in time: assume that the command touches exactly the files that others hold where it works. */
function lateFiles(hook: Hook, space: HookSpace, { command, call, at }: Foreseen): readonly TouchedFile[] {
  if (IN_INDEX.has(command)) return [];
  const dashes = call.args.indexOf('--');
  const named = dashes === -1 ? [] : call.args.slice(dashes + 1).filter((word) => word !== null);
  // A pathspec with magic or wildcards may match anything below.
  const isPlain = named.length > 0 && named.every((path) => !/[*?[]|^:/.test(path));
  const dirs = isPlain ? named.map((path) => fromCwd(at, path)) : [at.root];
  return othersFiles(hook, space, dirs).flatMap(({ is_held, abs }) =>
    is_held ? [{ path: abs, on_disk: true, loses: 'nothing' }] : [],
  );
}

const late = (source: string): string =>
  `guard: git did not say in time what "${source.slice(0, 80)}" would touch; only locks were checked.`;
