/** What compaction carries of a state: all of it, nothing, or what still means something. */
import { isForgotten, isGone, KEPT_MS, type Then } from './forget.ts';
import { PATHS, pathOfKey } from './keys.ts';
import type { Json, Key, States } from './ledger.ts';
import { heldKeys } from './rules/holds.ts';
import { asPathState } from './states.ts';
import type { Hold, PathState, Ticket } from './types.ts';

/** The states to write in its place; undefined: the state as it is. */
export function remainsOf(key: Key, state: Json, then: Then): States | undefined {
  if (key.startsWith(PATHS)) return remainsOfPath(key, asPathState(state), then);
  return isForgotten(key, state, then) ? { [key]: null } : undefined;
}

/**
 * Without the holds, tickets and the intent of agents that are forgotten, and with the index keys of these holds. The last write stays:
 * it says who wrote the file.
 */
function remainsOfPath(key: Key, state: PathState, then: Then): States | undefined {
  const over = state.holds.filter((hold) => isHoldOver(hold, then));
  const holds = state.holds.filter((hold) => !over.includes(hold));
  const queue = state.queue.filter((ticket) => !isTicketOver(ticket, then));
  const writer = state.intent?.agent;
  const isIntentOver =
    writer !== undefined && isGone(writer, then) && holds.every(({ agent }) => agent !== writer);
  if (over.length === 0 && queue.length === state.queue.length && !isIntentOver) return undefined;
  const left: PathState = { ...state, holds, queue, intent: isIntentOver ? null : state.intent };
  const entries = heldKeys(pathOfKey(key), over).map((one) => [one, null] as const);
  return Object.fromEntries([[key, isNothing(left) ? null : (left as unknown as Json)], ...entries]);
}

/** A lock server's name for an agent holds without ever joining, so the hold's own times count too. */
function isHoldOver(hold: Hold, then: Then): boolean {
  const { now } = then;
  const [wall_ms, mono_ms] = [now.wall_ms - hold.since_wall_ms, now.mono_ms - hold.since_mono_ms];
  if (!(wall_ms > KEPT_MS + hold.ttl_ms)) return false;
  return (hold.boot !== now.boot || mono_ms > KEPT_MS + hold.ttl_ms) && isGone(hold.agent, then);
}

const isTicketOver = ({ agent, boot, until_mono_ms }: Ticket, then: Then): boolean =>
  (boot !== then.now.boot || then.now.mono_ms - until_mono_ms > KEPT_MS) && isGone(agent, then);

const isNothing = (state: PathState): boolean =>
  Object.entries(state).every(
    ([name, value]) => name === 'touched' || value === null || (Array.isArray(value) && value.length === 0),
  );
