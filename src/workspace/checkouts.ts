// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The other checkouts of a repository, if leases there are reported here. */
import { inRepository } from '../core/lease-scope.ts';
import type { Meant } from '../core/rules/meant.ts';
import { CHECKOUTS, checkoutsIn } from '../core/worktrees.ts';
import { branchOf } from '../repo/branch-of.ts';
import type { Workspace } from './workspace.ts';

export interface Beside {
  /** A linked worktree; '' is the main checkout. */
  readonly checkout: string;
  /** Null: none, or not known. */
  readonly branch: string | null;
  /** The paths that were asked about, in that checkout. */
  readonly found: readonly Meant[];
}

export function besides({ store, facts, repo }: Workspace, asked: readonly Meant[]): readonly Beside[] {
  if (facts().policy.lease_scope !== 'told') return [];
  const states = store.look([CHECKOUTS]);
  const checkouts = checkoutsIn({ get: (key) => states.get(key) });
  if (checkouts.length < 2) return [];
  return checkouts.flatMap((checkout) => {
    const scope = checkout === '' ? '' : `//${checkout}/`;
    // On several machines, the main checkouts share one lease per path, so its holder is not news from another checkout.
    const found = asked
      .filter((one) => inRepository(one.scope) !== inRepository(scope))
      .map((one) => ({ ...one, scope }));
    return found.length === 0 ? [] : [{ checkout, branch: branchOf(repo, checkout), found }];
  });
}
