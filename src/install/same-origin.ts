/** Whether two clones have the same origin, that is, a first commit in common. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gitAnswer } from '../repo/git-answer.ts';

/** A million commits take 10 s. */
const LIMIT_MS = 30_000;

interface Clone {
  readonly root: string;
  readonly common_dir: string;
}

/** `null` if unknown: one of them is shallow or has no commit, or git does not answer. */
export function isSameOrigin(a: Clone, b: Clone): boolean | null {
  const [one, other] = [firstCommits(a), firstCommits(b)];
  if (one.some((commit) => other.includes(commit))) return true;
  return [a, b].every(isWhole) && one.length > 0 && other.length > 0 ? false : null;
}

export const isWhole = ({ common_dir }: Pick<Clone, 'common_dir'>): boolean =>
  !existsSync(join(common_dir, 'shallow'));

/** @param from where to start; the result is every commit reached from there that has no parent */
export function firstCommits({ root }: Pick<Clone, 'root'>, from = ['--all', 'HEAD']): readonly string[] {
  const args = ['rev-list', '--max-parents=0', ...from, '--'];
  const said = gitAnswer({ root, args, limit_ms: LIMIT_MS });
  return said?.toString().split('\n').filter(Boolean) ?? [];
}
