/** The repository that a command is called in. */
import { unlessRefused } from '../core/attempt.ts';
import { openClock } from '../repo/clock.ts';
import { requireBelieved } from '../repo/known/belief.ts';
import type { Repo } from '../repo/locate.ts';
import { openDeaths } from '../repo/process.ts';
import { targetIn } from '../workspace/target-in.ts';
import { type Opening, openWorkspace, type Surroundings, type Workspace } from '../workspace/workspace.ts';
import { guardedRepo } from './command-place.ts';

/** The first path decides, wherever the command is called: denials name files of any guarded repository. */
function repoOf(around: Surroundings, [first]: readonly string[]): Repo | null {
  if (first === undefined) return null;
  // A fault of the path is reported in its own result.
  const repo = unlessRefused<Repo | null>(
    () => targetIn(around, first).repo,
    () => null,
  );
  return repo?.initialised === true ? repo : null;
}

/** For a long-lived process: what it opened once, and how long other processes may keep it waiting. */
export type WorkspaceOptions = Partial<Pick<Opening, 'now' | 'isDead' | 'lock_deadline_ms' | 'remembered'>>;

/** Hooks have 5 s for everything; a person or agent would rather wait than be told that the ledger was busy. */
const LOCK_DEADLINE_MS = 10_000;

/** @throws GuardError GUARD_ERR_NOT_INITIALISED outside of an initialised repository */
export function workspaceAround(
  around: Surroundings,
  paths: readonly string[] = [],
  {
    now = openClock(),
    isDead = openDeaths(),
    lock_deadline_ms = LOCK_DEADLINE_MS,
    remembered,
  }: WorkspaceOptions = {},
): Workspace {
  const { cwd, env } = around;
  const named = repoOf(around, paths);
  if (named !== null) requireBelieved(named, env);
  const repo = named ?? guardedRepo(around);
  const { state_dir } = repo;
  return openWorkspace(repo, { cwd, env, state_dir, now, isDead, lock_deadline_ms, remembered });
}

/** Closes what was opened for one piece of work, however that ends. */
export async function closing<O extends { close(): void }, T>(
  opened: O,
  work: (opened: O) => T | Promise<T>,
): Promise<T> {
  try {
    return await work(opened);
  } finally {
    opened.close();
  }
}

export const withWorkspace = async <T>(
  around: Surroundings,
  work: (space: Workspace) => T | Promise<T>,
  paths: readonly string[] = [],
): Promise<T> => closing(workspaceAround(around, paths), work);

/** Closes what was opened for a piece of work if that work cannot even begin. */
export function orClosed<T>(opened: { close(): void }, work: () => T): T {
  try {
    return work();
  } catch (error) {
    opened.close();
    throw error;
  }
}
