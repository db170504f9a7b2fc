/** Requesting a file. A waiting request sleeps until the ledger has a relevant record. */
import { randomUUID } from 'node:crypto';
import { inboxKey, threadKey } from '../core/mailbox.ts';
import { unlessBusy } from '../core/is-busy.ts';
import { lookUntil } from '../locks/look-until.ts';
import { type Bell, subscribe } from '../locks/subscribe.ts';
import { agentCalled } from './agents.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { choice, type InputOf, label, number, text, withDefault } from './field.ts';
import { messagesOf } from './messages.ts';
import { LOOK_FIRST, noNegotiation, replyIn, settledBeside } from './negotiation-reply.ts';
import type { ReleaseRequestAnswer } from './negotiation-reply.ts';
import { operation, type RunContext } from './operation.ts';
import { meantBy } from './pattern.ts';
import { refuseUnsent } from './send.ts';

const WAIT_MAX_S = 3_600;
const REQUEST_CHARS = 2_000;

const REQUESTED = {
  agent_name: label(''),
  file: text('Path or pattern'),
  reason: text('', { max_chars: REQUEST_CHARS, cut: true }),
  urgency: withDefault(choice('', ['normal', 'urgent']), 'normal'),
  wait_seconds: withDefault(
    number('For an answer; 0: not at all', { min: 0, max: WAIT_MAX_S, cut: true }),
    0,
  ),
};

export const NEGOTIATE_RELEASE = operation('negotiate_release', REQUESTED, negotiateRelease);

/**
 * @throws GuardError GUARD_ERR_USAGE if that agent holds nothing there; GUARD_ERR_BUSY only before the request is sent
 * @throws Refused if that agent accepts no messages
 */
async function negotiateRelease(
  request: InputOf<typeof REQUESTED>,
  space: CallerWorkspace,
  around: Pick<RunContext, 'signal'>,
): Promise<ReleaseRequestAnswer> {
  const { store, run, who } = space;
  const { file, reason, urgency } = request;
  const thread_id = randomUUID();
  const wait_ms = request.wait_seconds * 1_000;
  const to = agentCalled(space, request.agent_name);
  const meant = meantBy(space, file);
  // Listening begins before the request is sent, so its answer cannot be missed.
  const bell = wait_ms > 0 ? subscribe(store, around.signal) : null;
  try {
    const asked = run({ type: 'negotiate.request', who, to, meant, reason, urgency, thread_id });
    if (asked.error === 'NOTHING_HELD')
      throw noNegotiation(`${to} holds nothing that covers ${file}`, LOOK_FIRST);
    refuseUnsent(asked.error, space);
    if (bell === null) return { status: 'pending', thread_id, to, urgency };
    return await answerIn(space, { thread_id, to, wait_ms }, bell);
  } finally {
    bell?.close();
  }
}

interface Awaiting {
  readonly thread_id: string;
  readonly to: string;
  readonly wait_ms: number;
}

/** A busy ledger counts as no answer yet: the request has been sent, and waiting can continue. */
async function answerIn(
  space: CallerWorkspace,
  { thread_id, to, wait_ms }: Awaiting,
  bell: Bell,
): Promise<ReleaseRequestAnswer> {
  const keys = [threadKey(thread_id), inboxKey(space.who.id)];
  const begun = space.facts().now.mono_ms;
  const passed_ms = (): number => space.facts().now.mono_ms - begun;
  const answerSoFar = (): ReleaseRequestAnswer | null =>
    replyIn(messagesOf(space, thread_id), thread_id, to) ?? settledBeside(space, thread_id, to);
  const answer = await lookUntil(bell, {
    look: () => unlessBusy(answerSoFar) ?? undefined,
    concerns: ({ s }) => Object.keys(s).some((key) => keys.includes(key) || isHold(key)),
    left_ms: () => wait_ms - passed_ms(),
  });
  return answer ?? { status: 'timeout', thread_id, waited: Math.round(passed_ms() / 1000) };
}

const isHold = (key: string): boolean =>
  key.startsWith('path:') || key.startsWith('globs:') || key.startsWith('agent:');
