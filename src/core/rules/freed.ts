/** Whether what an agent asked another for is free by now: a file, or everything that a pattern means. */
import { isAlive } from '../alive.ts';
import type { Inbox, Negotiation } from '../mailbox.ts';
import type { AgentId } from '../types.ts';
import { keeps } from './lease.ts';
import { isStillHeld } from './unreserve.ts';
import type { Looking } from './transaction.ts';

/** Requests of this agent that are not settled, as far as it is known what they mean. */
export const requestsOf = ({ talks }: Pick<Inbox, 'talks'>, agent: AgentId): Negotiation[] =>
  talks.filter(({ from, path, over }) => from === agent && (path !== null || over !== null));

/** Whoever was asked holds nothing of it. For files their keys are enough; a pattern means all that it holds. */
export function isFree(looking: Looking, { to, path, over }: Negotiation): boolean {
  const { changes, facts } = looking;
  if (!isAlive(changes, to, facts)) return true;
  if (path !== null) return !keeps(changes, path, to, facts);
  return over !== null && !isStillHeld(looking, { to, over });
}
