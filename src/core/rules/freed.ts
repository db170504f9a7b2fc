/** Whether what an agent requested from another is free by now: a file, or everything that a pattern matches. */
import { isAlive } from '../alive.ts';
import type { Inbox, Negotiation } from '../mailbox.ts';
import type { AgentId } from '../types.ts';
import { keeps } from './lease.ts';
import { isStillHeld } from './unreserve.ts';
import type { Looking } from './transaction.ts';

/** This agent's unsettled requests, if it is known what they refer to. */
export const requestsOf = ({ talks }: Pick<Inbox, 'talks'>, agent: AgentId): Negotiation[] =>
  talks.filter(({ from, path, over }) => from === agent && (path !== null || over !== null));

/** The agent that was asked holds nothing of it. Files need only their keys, a pattern all that the agent holds. */
export function isFree(looking: Looking, { to, path, over }: Negotiation): boolean {
  const { changes, facts } = looking;
  if (!isAlive(changes, to, facts)) return true;
  if (path !== null) return !keeps(changes, path, to, facts);
  return over !== null && !isStillHeld(looking, { to, over });
}
