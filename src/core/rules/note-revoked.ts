/** That an agent lost a lease stays with it until it was told. */
import type { Changes } from '../states.ts';
import type { AgentId, Facts, Revoked } from '../types.ts';

/** Untold ones are kept up to here, the newest. */
const REVOKED_MAX = 32;

/** Told at its next event (src/claude/events/revoked.ts). */
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
