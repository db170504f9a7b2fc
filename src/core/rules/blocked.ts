/** Why a lease cannot be had, in facts for people and programs. */
import { expiresAt, goesAt } from '../alive.ts';
import type { Silence } from '../messages.ts';
import type { Draft } from '../states.ts';
import { rfc3339 } from '../time.ts';
import type { AgentId, Facts, Hold, Mode, RepoPath, Ticket } from '../types.ts';

/** Why a lease cannot be had now. `holder` is the oldest other holder, or the earliest waiter ahead. */
export interface Blocked {
  readonly holder: AgentId;
  readonly holders: readonly AgentId[];
  readonly mode: Mode;
  readonly since: string;
  readonly expires_at: string;
  readonly queued: boolean;
  /** The reservation that covers the path, where it is one. */
  readonly reservation?: { readonly id: string; readonly pattern: string; readonly reason: string };
}

export function byHolders(draft: Draft, holds: readonly Hold[]): Blocked {
  const sorted = [...holds].sort((a, b) => a.token - b.token);
  const [oldest] = sorted as [Hold];
  // The monotonic end, said in wall-clock time for people: both clocks were read together at the grant.
  const expires_wall_ms = oldest.since_wall_ms + (expiresAt(draft, oldest) - oldest.since_mono_ms);
  return {
    holder: oldest.agent,
    holders: sorted.map((hold) => hold.agent),
    mode: oldest.mode,
    since: rfc3339(oldest.since_wall_ms),
    expires_at: rfc3339(expires_wall_ms),
    queued: false,
  };
}

/** Below this an agent is at work. */
const SILENT_S = 10;

/** What to say of a holder that may be gone: how long it has been silent, and when its lease goes for that. */
export function silenceOf(
  draft: Draft,
  path: RepoPath,
  holder: AgentId,
  facts: Facts,
): { readonly silence?: Silence } {
  const hold = draft.path(path).holds.find(({ agent }) => agent === holder);
  const agent = draft.agent(holder);
  if (hold === undefined || agent === undefined || agent.boot !== facts.now.boot) return {};
  const silent_s = Math.round((facts.now.mono_ms - agent.active_mono_ms) / 1000);
  const yields_in_s = Math.ceil((goesAt(draft, path, hold, facts) - facts.now.mono_ms) / 1000);
  if (silent_s < SILENT_S || !Number.isFinite(yields_in_s) || yields_in_s < 0) return {};
  return { silence: { silent_s, yields_in_s } };
}

export function byTickets(tickets: readonly Ticket[], facts: Facts): Blocked {
  const sorted = [...tickets].sort((a, b) => a.ticket - b.ticket);
  const [first] = sorted as [Ticket];
  const wallAt = (mono_ms: number): string => rfc3339(facts.now.wall_ms + mono_ms - facts.now.mono_ms);
  return {
    holder: first.agent,
    holders: sorted.map((ticket) => ticket.agent),
    mode: first.mode,
    since: wallAt(first.since_mono_ms),
    expires_at: wallAt(first.until_mono_ms),
    queued: true,
  };
}
