/** Who changed lines elsewhere that an edit here meets hears of it at their next step, not only at their next edit of that file. */
import { inMain } from '../../core/lease-scope.ts';
import { agentKey } from '../../core/keys.ts';
import { plain } from '../../core/plain.ts';
import { asAgentState } from '../../core/states.ts';
import type { AgentId } from '../../core/types.ts';
import { branchOf } from '../../repo/branch-of.ts';
import type { Hook } from '../context.ts';
import type { Located } from '../events/targets.ts';
import type { News } from './fresh.ts';

/** One commit of the ledger for each content that meets: what is no news any more tells nobody again. */
export function tellOthers({ who }: Hook, { target, space }: Located, news: readonly News[]): void {
  const met = news.flatMap(({ meets, agent }) =>
    meets && agent !== null && agent !== who.id ? [agent] : [],
  );
  const to = [...new Set(met)].filter((agent) => isHere(space, agent));
  if (to.length === 0) return;
  const { worktree } = space.repo;
  const branch = branchOf(space.repo, worktree ?? '');
  const where = worktree === null ? 'the main checkout' : `worktree ${plain(worktree)}`;
  const body = `${who.id} edits ${JSON.stringify(plain(inMain(target.path)))} in ${where}${branch === null ? '' : ` (branch ${plain(branch)})`} where you changed it in yours: that will conflict when they are merged.`;
  const message = {
    ...{ topic: null, thread_id: null, ack_required: false },
    ...({ subject: 'Same lines in another worktree', importance: 'urgent' } as const),
  };
  space.run({ type: 'message.send', who, to, message: { ...message, body } });
}

/** Nobody reads mail of an agent that has left. */
function isHere({ cache }: Located['space'], agent: AgentId): boolean {
  const key = agentKey(agent);
  return asAgentState(cache.get([key])(key))?.live === true;
}
