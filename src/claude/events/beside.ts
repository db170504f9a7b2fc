// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** SessionStart: who works in other checkouts of the repository, in one line. */
import { agentsBeside } from '../../core/agents-beside.ts';
import { plain } from '../../core/plain.ts';
import { CHECKOUTS } from '../../core/worktrees.ts';
import { branchOf } from '../../repo/branch-of.ts';
import { consult } from '../../store/transact.ts';
import type { HookSpace } from '../context.ts';
import { thatFit } from './welcome.ts';

/** Empty if no one does, or if the policy says not to report it. */
export function besideNow({ repo, store, facts }: HookSpace): string {
  const now = facts();
  if (!repo.initialised || (now.policy.lease_scope ?? 'apart') === 'apart') return '';
  if (store.look([CHECKOUTS]).get(CHECKOUTS) === undefined) return '';
  const found = consult(store, (view) => agentsBeside(view, repo.worktree ?? '', now));
  if (found.length === 0) return '';
  const each = found.map(({ agent, checkout }) => {
    const branch = branchOf(repo, checkout);
    const place = checkout === '' ? 'the main checkout' : plain(checkout.replace(/^~@/, ''));
    return `${plain(agent)} in ${place}${branch === null ? '' : ` (branch ${plain(branch)})`}`;
  });
  const shown = thatFit(each);
  const more = each.length - shown.length;
  return `At work in other worktrees: ${[...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ')}`;
}
