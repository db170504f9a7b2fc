import type { RepoPath } from '../types.ts';
import { checkoutAt } from '../worktrees.ts';
import type { Deadlock } from './deadlock.ts';
import type { Elsewhere } from './elsewhere.ts';
import { namedIn } from './named-in.ts';

interface Found {
  readonly path: RepoPath;
  readonly deadlock?: Deadlock;
}

/** The result for a lease, under the name by which it was requested, with the findings in other checkouts. */
export function asAsked<R extends Found>(result: R, path: RepoPath, beside: readonly Elsewhere[]): R {
  const elsewhere = beside.filter((one) => one.path === path);
  const { deadlock } = result;
  return {
    ...result,
    path,
    ...(deadlock === undefined || path === result.path
      ? {}
      : { deadlock: namedIn(checkoutAt(path), deadlock) }),
    ...(elsewhere.length === 0 ? {} : { elsewhere }),
  };
}
