/** Waiting for drafted agents: one, several, or the first of several. */
import { attempt } from '../core/attempt.ts';
import { awaitAgents, type Doomed } from '../harness/await.ts';
import {
  awaited,
  type AwaitResult,
  type FirstOf,
  firstToEnd,
  type Several,
  several,
  type StillRunning,
} from '../harness/awaited.ts';
import { idMeant } from '../harness/agent-meant.ts';
import { queuedNow } from '../harness/queue-place.ts';
import { callLimits, ownServerMs } from '../harness/silence.ts';
import type { HarnessWorkspace } from '../harness/workspace.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { flag, label, number, oneOrMany, optional, withDefault } from './field.ts';
import { operation, type RunContext } from './operation.ts';
import { wrong } from './read-input.ts';

type At = HarnessWorkspace & CallerWorkspace;

export const AGENT_ID = label('The id from draft_agent, or its name');

/** `cancelled`: the caller ended the wait; the agents continue. */
export type AwaitAnswer =
  AwaitResult | StillRunning | Several | FirstOf | Doomed | { readonly status: 'cancelled' };

interface HowLong {
  readonly first?: boolean;
  readonly timeout_seconds?: number | undefined;
}

/** One agent is returned as itself, several as a list, the first of several as itself with those still running. */
export async function awaitEnds(
  ids: readonly string[],
  { first = false, timeout_seconds = Infinity }: HowLong,
  space: At,
  around: RunContext,
): Promise<AwaitAnswer> {
  const timeout_ms = Math.min(
    timeout_seconds * 1000,
    answerWithin(patienceOf(space, around), space.harness.stream_timeout_ms),
  );
  const found = await awaitAgents(space, space.who, ids, { ...around, first, timeout_ms });
  if (found === null) return { status: 'cancelled' };
  if ('status' in found) return found;
  const [one, ...others] = found;
  const at = { roles_dir: space.harness.roles_dir, queued: queuedNow(space) };
  if (one === undefined) throw wrong('agentId', 'agentId must name an agent.');
  if (first) return firstToEnd([one, ...others], at);
  return others.length === 0 ? awaited(one, at) : several(found, at);
}

/** What a server cannot know from its protocol: the limit in its entry of the client's settings. */
const patienceOf = ({ root, env }: At, { patience_ms }: RunContext): number | undefined =>
  patience_ms === undefined
    ? undefined
    : Math.min(
        patience_ms,
        attempt(() => ownServerMs(callLimits(root, env)), Infinity),
      );

/** A few seconds for the answer itself. */
const ANSWER_MS = 10_000;

/** Answers before the waiting client gives up. @param patience_ms the client's limit; absent if it has none */
export function answerWithin(patience_ms: number | undefined, stream_timeout_ms: number): number {
  if (patience_ms === undefined) return Infinity;
  const limit_ms = Math.min(patience_ms, stream_timeout_ms);
  return limit_ms - Math.min(ANSWER_MS, limit_ms / 5);
}

const AWAITED_MAX = 100;
const AWAITED_MAX_SECONDS = 86_400;

export const AWAIT_AGENT = operation(
  'await_agent',
  {
    agentId: oneOrMany('The id from draft_agent, or its name; or a list of several', AGENT_ID, AWAITED_MAX),
    first: withDefault(flag('With several: until one of them ends'), false),
    timeout_seconds: optional(number('Longest wait', { above: 0, max: AWAITED_MAX_SECONDS })),
  },
  ({ agentId, ...how }, space: At, around) =>
    awaitEnds([...new Set(agentId.map((id) => idMeant(space, id)))], how, space, around),
);
