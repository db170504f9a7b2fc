// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** When a live lease yields to another agent, if its holder does nothing more. */
import { expiresAt, isWriting, lastActive, turnGoneAt } from './alive.ts';
import type { Changes } from './states.ts';
import type { Facts, Hold, RepoPath } from './types.ts';

/** A lease that was unused for a while (no open intent, no open call, no hook) yields to the next agent that asks. */
export function isIdle(changes: Changes, path: RepoPath, hold: Hold, facts: Facts): boolean {
  if (isWriting(changes, path, hold.agent, facts) || hold.boot !== facts.now.boot) return false;
  // A background command reports nothing while it runs, so the files it writes to stay leased up to the ttl.
  if ((changes.agent(hold.agent)?.background.length ?? 0) > 0) return false;
  return facts.now.mono_ms - lastActive(changes, hold, facts) >= idleOf(hold, facts);
}

/** The holder's machine relies on its own idle time, whatever is configured where the other agent asks. */
const idleOf = ({ idle_ms = 0 }: Hold, { policy }: Facts): number => Math.max(policy.idle_ms, idle_ms);

/**
 * The monotonic time in milliseconds at which a live lease yields to another agent if its holder does nothing more;
 * `Infinity` during a write in flight and on another boot's clock, with which times here cannot be compared.
 */
export function goesAt(changes: Changes, path: RepoPath, hold: Hold, facts: Facts): number {
  if (isWriting(changes, path, hold.agent, facts) || hold.boot !== facts.now.boot) return Infinity;
  const agent = changes.agent(hold.agent);
  const expires = Math.min(expiresAt(changes, hold, facts), agent ? turnGoneAt(agent) : Infinity);
  return agent?.background.length
    ? expires
    : Math.min(expires, lastActive(changes, hold, facts) + idleOf(hold, facts));
}
