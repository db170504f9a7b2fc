/** What would conflict if the checkouts of a repository, with all their changes, were merged now. Modifies none of them. */
import { join } from 'node:path';
import { isGuardError } from '../core/error.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { textOf } from '../repo/small-file.ts';
import { requireAble } from './able.ts';
import { type ListedCheckout, listCheckouts, MAIN, type Repository } from './checkouts.ts';
import { type ForecastGit, inTurns, openGit, textOfBytes } from './git.ts';
import { forgetKept, type Kept, NOTHING_KEPT, objectsDir, sweptKept, writeKept } from './keep.ts';
import { notesOf } from './notes.ts';
import { type JudgedPair, judgePairs } from './pairs.ts';
import { type Configured, configuredBy } from './programs.ts';
import { type Taken, take } from './take.ts';
import { type Trunk, trunkOf } from './trunk.ts';

export interface LookWish {
  readonly env: Environment;
  readonly repository: Repository;
  /** Where the forecast keeps its files. */
  readonly dir: string;
  readonly trunk?: string | undefined;
  /** Absolute paths, the only ones that may have changed since the last forecast. Absent: every file is checked. */
  readonly changed?: readonly string[] | undefined;
  /** Size limit for what it keeps. Absent: the default. */
  readonly kept_bytes_max?: number;
}

export interface SeenCheckout extends ListedCheckout {
  /** Null: there is nothing to merge, or nothing can be determined. */
  readonly taken: Taken | null;
}

export interface ForecastLook {
  readonly git: ForecastGit;
  readonly cwd: string;
  readonly checkouts: readonly SeenCheckout[];
  readonly trunk: Trunk | null;
  /** With the trunk as `a`. */
  readonly with_trunk: readonly JudgedPair[];
  readonly pairs: readonly JudgedPair[];
  readonly notes: readonly string[];
}

/** @throws GuardError GUARD_ERR_GIT, GUARD_ERR_INPUT */
export async function lookAhead(wish: LookWish): Promise<ForecastLook> {
  const { dir } = wish;
  const kept = sweptKept(dir, wish.kept_bytes_max);
  try {
    return await lookWith(wish, kept);
  } catch (error) {
    // An object kept from before may be missing, along with the commits that contained it.
    if (kept === NOTHING_KEPT || !isGuardError(error) || error.code !== 'GUARD_ERR_GIT') throw error;
    forgetKept(dir);
    return lookWith(wish, sweptKept(dir));
  }
}

async function lookWith(wish: LookWish, before: Kept): Promise<ForecastLook> {
  const { env, repository, dir } = wish;
  const asking = openGit({ env });
  const { common_dir } = repository;
  const version = await requireAble(asking, common_dir);
  const listed = await listCheckouts(asking, repository);
  const there = listed.filter(({ is_there }) => is_there);
  const cwd = there[0]?.path ?? common_dir;
  const configured = await configuredIn(asking, cwd, there);
  const objects = { own: objectsDir(dir), behind: join(common_dir, 'objects') };
  const git = openGit({ env, objects, settings: configured.settings });
  const besides = READ_BESIDES.map((name) => textOf(join(common_dir, name), 1 << 20));
  const rules = [version, configured.rules, ...besides, await attributesIn(git, cwd)].join('\n');
  const kept = before.rules === rules ? before : NOTHING_KEPT;
  const { default_branch } = configured;
  const main_branch = listed.find(({ id }) => id === MAIN)?.branch ?? null;
  const trunk = await trunkOf(git, { cwd, wanted: wish.trunk, default_branch, main_branch });
  const taking = { git, dir, filters: configured.filters, isStill: stillBut(listed, wish.changed) };
  const checkouts = await inTurns(listed, async (one): Promise<SeenCheckout> => {
    if (!one.is_there) return { ...one, taken: one.is_locked ? absent(one) : null };
    const known = Object.hasOwn(kept.taken, one.id) ? kept.taken[one.id] : undefined;
    return { ...one, taken: await take(taking, one, known) };
  });
  const judged = await judgePairs(git, cwd, { checkouts, trunk, kept });
  const taken = checkouts.flatMap(({ id, taken: one }) => (one === null ? [] : [[id, one] as const]));
  const isSame = taken.every(([id, { commit }]) => kept.taken[id]?.commit === commit);
  const bytes = isSame ? (kept.bytes ?? 0) : await weighed(git, cwd);
  writeKept(dir, { rules, taken: Object.fromEntries(taken), pairs: judged.kept, bytes });
  return { git, cwd, checkouts, trunk, ...judged, notes: notesOf(configured, there) };
}

/** Disk space of the objects that it created; takes 30 ms for 24,000. */
async function weighed(git: ForecastGit, cwd: string): Promise<number> {
  const said = await git.ask({ cwd }, 'count-objects', '-v');
  const [, loose = '0'] = /^size: (\d+)$/m.exec(said) ?? [];
  return Number(loose) * 1024;
}

/** Other files that affect how files are read and commits are merged; the last two change the history. */
const READ_BESIDES = ['info/exclude', 'info/attributes', 'info/grafts', 'shallow'];

/** Selects the checkouts that contain none of the changed files. A checkout may be inside another. */
function stillBut(
  listed: readonly ListedCheckout[],
  changed: readonly string[] | undefined,
): (place: ListedCheckout) => boolean {
  if (changed === undefined) return () => false;
  const around = changed.map((path) =>
    listed
      .filter((one) => path.startsWith(`${one.path}/`))
      .reduce<ListedCheckout | null>((a, b) => (a !== null && a.path.length > b.path.length ? a : b), null),
  );
  return (place) => !around.includes(place);
}

/** Locked worktrees may be on a disk that is not mounted; their commits are still here. */
const absent = ({ head, branch }: ListedCheckout): Taken => ({
  ...{ seen: '', commit: head, tree: null, branch, operation: null, looked_at: 'commits', notes: [] },
});

const LIST = ['config', '-z', '--list'];

/** The same for all checkouts, unless the configuration says that some have their own. */
async function configuredIn(
  git: ForecastGit,
  cwd: string,
  there: readonly ListedCheckout[],
): Promise<Configured> {
  const listed = await git.ask({ cwd }, ...LIST);
  if (!/(?:^|\0)(?:extensions\.worktreeconfig(?:\0|\n(?!false))|includeif\.)/.test(listed))
    return configuredBy(listed);
  const all = await inTurns(there, ({ path }) => git.ask({ cwd: path }, ...LIST));
  return configuredBy(all.join(''));
}

/** The attributes in the checkout where git merges, which determine how files are merged. */
async function attributesIn(git: ForecastGit, cwd: string): Promise<string> {
  const { out } = await git.run({ cwd }, 'ls-files', '-s', '-z', '--', ':(glob)**/.gitattributes');
  const names = out.split('\0').map((entry) => textOfBytes(entry.slice(entry.indexOf('\t') + 1)));
  const texts = ['.gitattributes', ...names.filter((name) => name !== '')].map((name) =>
    textOf(join(cwd, name), 1 << 20),
  );
  return [out, ...texts].join('\n');
}
