/**
 * What a commit is about to include. Queried inside git's own pre-commit hook, with its environment: `commit -a` and
 * `commit PATHS` use a separate index, and git has just run programs of this repository anyway.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../repo/small-file.ts';

export interface Committing {
  /** Root of the checkout, where git starts hooks. */
  readonly root: string;
  readonly git_dir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Staged {
  /** Relative to the root, as in git. */
  readonly names: readonly string[];
  /** It concludes a merge, a cherry-pick or a revert; git then accepts no paths. */
  readonly is_joining: boolean;
}

const OUTPUT_BYTES = 256 << 20;
const LIMIT_MS = 30_000;

function ask({ root, env }: Committing, ...args: readonly string[]): Buffer | null {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const done = spawnSync('git', ['--no-pager', '-c', 'diff.relative=false', ...args], {
    cwd: root,
    env: { ...env, GIT_OPTIONAL_LOCKS: '0' },
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: OUTPUT_BYTES,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return done.status === 0 ? done.stdout : null;
}

/** Null: git failed. Files taken unchanged from a commit that is being merged are no one's uncommitted work. */
export function stagedIn(at: Committing): Staged | null {
  const joined = joinedIn(at.git_dir);
  const lists = [null, ...joined].map((commit) => changedFrom(at, commit));
  if (lists.some((list) => list === null)) return null;
  const [names = [], ...others] = lists as string[][];
  const sets = others.map((list) => new Set(list));
  return { names: names.filter((name) => sets.every((set) => set.has(name))), is_joining: joined.length > 0 };
}

function changedFrom(at: Committing, commit: string | null): string[] | null {
  const said = ask(
    at,
    ...['diff', '--cached', '--name-only', '-z', '--no-renames', '--no-ext-diff'],
    ...(commit === null ? [] : [commit]),
    '--',
  );
  return said === null ? null : said.toString('utf8').split('\0').slice(0, -1);
}

function joinedIn(git_dir: string): readonly string[] {
  const merged = (textOf(join(git_dir, 'MERGE_HEAD'), 1 << 20) ?? '').split('\n').filter((id) => id !== '');
  const picked = existsSync(join(git_dir, 'CHERRY_PICK_HEAD')) ? ['CHERRY_PICK_HEAD'] : [];
  const reverted = existsSync(join(git_dir, 'REVERT_HEAD')) ? ['REVERT_HEAD^'] : [];
  return [...merged, ...picked, ...reverted];
}

/** The content about to be committed under this name; null: it is removed. */
export const stagedBytes = (at: Committing, name: string): Buffer | null =>
  ask(at, 'cat-file', 'blob', `:${name}`);
