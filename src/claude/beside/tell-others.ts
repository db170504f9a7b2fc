/** Notifies agents at their next step that a file which they changed elsewhere is edited here, not only at their next edit of it. */
import { checkoutWords } from '../../core/checkout-words.ts';
import { inMain } from '../../core/lease-scope.ts';
import { agentKey } from '../../core/keys.ts';
import { plain } from '../../core/plain.ts';
import { asAgentState } from '../../core/states.ts';
import type { AgentId } from '../../core/types.ts';
import { branchOf } from '../../repo/branch-of.ts';
import type { Hook } from '../context.ts';
import type { Located } from '../events/targets.ts';
import type { News } from './fresh.ts';

/** One ledger commit per conflicting content, or per file if nothing conflicts: old news notifies no one again. */
export function tellOthers(hook: Hook, located: Located, news: readonly News[]): void {
  const whose = (of_meeting: boolean): readonly AgentId[] => [
    ...new Set(news.flatMap(({ meets, agent }) => (meets === of_meeting && agent !== null ? [agent] : []))),
  ];
  const meeting = whose(true);
  tell(hook, located, meeting, true);
  const apart = whose(false).filter((agent) => !meeting.includes(agent));
  tell(hook, located, apart, false);
}

function tell({ who }: Hook, { target, space }: Located, agents: readonly AgentId[], meets: boolean): void {
  const to = agents.filter((agent) => agent !== who.id && isHere(space, agent));
  if (to.length === 0) return;
  const { worktree } = space.repo;
  const branch = branchOf(space.repo, worktree ?? '');
  const where = checkoutWords(worktree ?? '');
  const body = `${who.id} edits ${JSON.stringify(plain(inMain(target.path)))} in ${where}${branch === null ? '' : ` (branch ${plain(branch)})`}${meets ? ' where you changed it in yours: that will conflict when they are merged.' : ', which you changed in yours: the changed lines do not overlap so far.'}`;
  const subject = meets ? 'Same lines in another worktree' : 'Same file in another worktree';
  const message = {
    ...{ topic: null, thread_id: null, ack_required: false },
    ...({ subject, importance: 'urgent' } as const),
  };
  space.run({ type: 'message.send', who, to, message: { ...message, body } });
}

/** No one reads the mail of an agent that has left. */
function isHere({ cache }: Located['space'], agent: AgentId): boolean {
  const key = agentKey(agent);
  return asAgentState(cache.get([key])(key))?.live === true;
}
