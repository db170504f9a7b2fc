/** Runs a command on the merged state of several checkouts, in a temporary directory outside of every repository. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../repo/user-dirs.ts';
import type { ForecastGit } from './git.ts';
import type { ForecastTurn } from './keep.ts';
import { inPassing } from './passing.ts';

export interface TriedMerge {
  /** In the order in which they were merged into the trunk. */
  readonly of: readonly string[];
  /** They merge cleanly with the trunk, but not after those before them. */
  readonly left_out: readonly string[];
  /** Null: ended by a signal. */
  readonly exit_code: number | null;
}

export interface Trying {
  readonly git: ForecastGit;
  readonly cwd: string;
  readonly env: Environment;
  readonly command: string;
  /** Released while the command runs, which may take as long as a project's tests. */
  readonly turn: ForecastTurn;
  /** Null: the others are merged into the first of them. */
  readonly trunk: string | null;
}

export interface SideCommit {
  readonly id: string;
  readonly commit: string;
}

/** Merges them one after the other, leaving out those that conflict. */
export async function tryMerged(trying: Trying, sides: readonly SideCommit[]): Promise<TriedMerge> {
  const { git, cwd, turn } = trying;
  await turn.enter();
  const of: string[] = [];
  const left_out: string[] = [];
  let tip = trying.trunk;
  for (const { id, commit } of sides) {
    const merged = tip === null ? commit : await mergedCommit(git, cwd, tip, commit);
    (merged === null ? left_out : of).push(id);
    tip = merged ?? tip;
  }
  return { of, left_out, exit_code: tip === null ? 0 : await runOn(trying, tip) };
}

async function mergedCommit(git: ForecastGit, cwd: string, a: string, b: string): Promise<string | null> {
  const { status, out } = await git.run({ cwd }, 'merge-tree', '--write-tree', '--no-messages', a, b);
  if (status !== 0) return null;
  return (await git.ask({ cwd }, 'commit-tree', out.trim(), '-p', a, '-p', b)).trim();
}

async function runOn({ git, cwd, env, command, turn }: Trying, commit: string): Promise<number | null> {
  return inPassing('guard-merged-', async (scratch) => {
    const index = join(scratch, 'index');
    const tree = join(scratch, 'tree');
    mkdirSync(tree);
    await git.ask({ cwd, index }, 'read-tree', commit);
    await git.ask({ cwd, index }, 'checkout-index', '-a', '-q', `--prefix=${tree}/`);
    // No objects are needed from here on.
    turn.leave();
    const outside = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'));
    // Ignored files are not in it, but dependencies can be linked from GUARD_FORECAST_ROOT.
    const own = { GIT_CEILING_DIRECTORIES: scratch, GUARD_FORECAST_ROOT: cwd };
    return await shellIn(tree, command, { ...Object.fromEntries(outside), ...own });
  });
}

/** Its output goes to standard error, because standard output is for the forecast. */
function shellIn(cwd: string, command: string, env: Environment): Promise<number | null> {
  const child = spawn('/bin/sh', ['-c', command], { cwd, env, stdio: ['ignore', 2, 2] });
  const kill = (): void => void child.kill();
  // Ensures that it is killed before its directory is removed.
  process.prependOnceListener('exit', kill);
  return new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  }).finally(() => process.off('exit', kill));
}
