/** Records on an agent that it lost a lease, until it has been notified. */
import type { Changes } from '../states.ts';
import type { AgentId, Facts, Revoked } from '../types.ts';

/** The newest notifications are kept, up to this many. */
const REVOKED_MAX = 32;

/** The agent is notified at its next event (src/claude/events/revoked.ts). */
export function noteRevoked(
  changes: Changes,
  id: AgentId,
  lost: Pick<Revoked, 'path' | 'to' | 'cause'>,
  { now }: Facts,
): void {
  const holder = changes.agent(id);
  if (holder === undefined) return;
  const others = (holder.revoked ?? []).filter(({ path }) => path !== lost.path).slice(1 - REVOKED_MAX);
  const isSilent = lost.cause === 'idle' && holder.boot === now.boot;
  const silent = isSilent ? { silent_ms: now.mono_ms - holder.active_mono_ms } : {};
  changes.setAgent({ ...holder, revoked: [...others, { ...lost, ...silent, wall_ms: now.wall_ms }] });
}
