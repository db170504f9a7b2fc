/** What a waiter can expect of a lease's holder: when the lease ends or yields, and what the holder is doing. */
import { expiresAt, lastActive } from './alive.ts';
import { goesAt } from './yielding.ts';
import { checkoutWords } from './checkout-words.ts';
import { plain } from './plain.ts';
import type { Changes } from './states.ts';
import { takenIn } from './taken-in.ts';
import { duration } from './time.ts';
import type { AgentState, Facts, Hold, OpenCall, RepoPath } from './types.ts';
import { leaseEnd } from './wall-time.ts';

export interface Outlook {
  /** When it yields to another agent if its holder stays silent; during a write in flight, not before its end. */
  readonly expires_at: string;
  /** Absent: the holder is at work. */
  readonly silent_ms?: number;
  /** For people: `silent for 70 s, yields in 110 s`. */
  readonly holder_state: string;
}

/** An agent with activity this recent does not count as silent. */
const AT_WORK_MS = 10_000;

export function outlookOf(changes: Changes, path: RepoPath, hold: Hold, facts: Facts): Outlook {
  const outlook = outlookHere(changes, path, hold, facts);
  const taken = takenIn(hold);
  if (taken === undefined) return outlook;
  return { ...outlook, holder_state: `${outlook.holder_state}, in ${checkoutWords(taken)}` };
}

function outlookHere(changes: Changes, path: RepoPath, hold: Hold, facts: Facts): Outlook {
  const { now } = facts;
  const goes = goesAt(changes, path, hold, facts);
  const isPinned = goes === Infinity;
  const ends = isPinned ? expiresAt(changes, hold, facts) : goes;
  const isHere = hold.boot === now.boot;
  const expires_at = leaseEnd(ends, hold, now);
  const silent_ms = Math.max(0, now.mono_ms - lastActive(changes, hold, facts));
  const work =
    isPinned && isHere ? 'being written' : workOf(changes.agent(hold.agent), silent_ms < AT_WORK_MS, facts);
  if (work !== null) return { expires_at, holder_state: work };
  if (!isHere) return { expires_at, holder_state: 'on another machine' };
  const left_ms = Math.max(0, ends - now.mono_ms);
  const isOver = changes.agent(hold.agent)?.turn_over !== undefined;
  if (!isOver && silent_ms < AT_WORK_MS) return { expires_at, holder_state: 'at work' };
  const what = isOver ? 'its turn has ended' : `silent for ${duration(silent_ms)}`;
  const holder_state = `${what}, yields in ${duration(left_ms)}`;
  return { expires_at, silent_ms, holder_state };
}

function workOf(agent: AgentState | undefined, is_heard: boolean, { now }: Facts): string | null {
  if (agent === undefined || agent.boot !== now.boot) return null;
  // A call without an end time does not count as work once nothing is heard from the agent it waits for.
  const [call] = callsOpenAt(agent, now.mono_ms).filter(
    ({ until_mono_ms: until }) => until !== null || is_heard,
  );
  if (call !== undefined)
    return `at work in ${plain(call.tool)} for ${duration(now.mono_ms - call.since_mono_ms)}`;
  return agent.background.length > 0 ? 'waits for a background command' : null;
}

/** The calls that still count, oldest first. */
export const callsOpenAt = ({ calls = [] }: AgentState, mono_ms: number): readonly OpenCall[] =>
  calls.filter(({ until_mono_ms }) => until_mono_ms === null || mono_ms < until_mono_ms);
