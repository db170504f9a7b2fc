/** Asking for a file and answering, in the words of the tools. A wait sleeps until the ledger says something about it. */
import { GuardError, isGuardError } from '../core/error.ts';
import { fieldsOf, inboxKey, threadKey } from '../core/letters.ts';
import type { Letter, Talk } from '../core/letters.ts';
import type { Expired } from '../core/rules/expired.ts';
import { pendingOf } from '../core/rules/pending.ts';
import { hangBell } from '../locks/bell.ts';
import { agentCalled } from './agents.ts';
import type { Desk } from './desk.ts';
import { lettersOf, whyNotSent } from './mailbox.ts';
import { meantBy } from './pattern.ts';
import { consult } from '../store/transact.ts';

export interface ReleaseRequest {
  readonly agent_name: string;
  readonly file: string;
  readonly reason: string;
  readonly urgency: Talk['urgency'];
  readonly wait_ms: number;
  /** A fresh one. */
  readonly thread_id: string;
}

export type ReleaseAnswer =
  | { readonly status: 'pending'; readonly thread_id: string; readonly to: string; readonly urgency: string }
  | {
      readonly status: 'released';
      readonly thread_id: string;
      readonly released_by: string;
      readonly reason: string;
      readonly released_cnt: number;
    }
  | {
      readonly status: 'deferred';
      readonly thread_id: string;
      readonly eta_minutes: number;
      readonly reason: string;
    }
  | { readonly status: 'timeout'; readonly thread_id: string; readonly waited: number };

/**
 * @throws GuardError GUARD_ERR_USAGE where that agent holds nothing there, or takes no messages; GUARD_ERR_BUSY only while nothing
 * was asked yet
 */
export async function negotiateRelease(
  desk: Desk,
  request: ReleaseRequest,
  signal: AbortSignal,
): Promise<ReleaseAnswer> {
  const { ledger, who } = desk;
  const { file, reason, urgency, thread_id, wait_ms } = request;
  const to = agentCalled(desk, request.agent_name);
  const meant = meantBy(ledger, file);
  // Listening begins before the request is out: its answer cannot be missed.
  const bell = wait_ms > 0 ? hangBell(ledger.store, signal) : null;
  try {
    const asked = ledger.run({ type: 'negotiate.request', who, to, meant, reason, urgency, thread_id });
    if (asked.error === 'NOTHING_HELD') throw refusal(`${to} holds nothing that covers ${file}`, LOOK);
    const why = whyNotSent({ error: asked.error });
    if (why !== null) throw refusal(`no request was sent: ${why}`, 'Wait for a lock instead, or ask later.');
    if (bell === null) return { status: 'pending', thread_id, to, urgency };
    return await answerIn(desk, thread_id, to, wait_ms, bell, signal);
  } finally {
    bell?.close();
  }
}

const refusal = (why: string, hint: string): GuardError => new GuardError('GUARD_ERR_USAGE', `${why}.`, hint);

const LOOK = 'check_conflicts and "guard status" say who holds what.';
const LIST =
  'fetch_inbox and "guard negotiate pending" list the requests to you, with thread, requester and file.';

type Bell = ReturnType<typeof hangBell>;

/** As in the lock tools: what ends in silence (death, a time that runs out) somebody has to look for. */
const LOOK_MS = 1_000;

async function answerIn(
  desk: Desk,
  thread_id: string,
  to: string,
  wait_ms: number,
  bell: Bell,
  signal: AbortSignal,
): Promise<ReleaseAnswer> {
  const { ledger } = desk;
  const begun = ledger.facts().now.mono_ms;
  for (;;) {
    const answer = answerSoFar(desk, thread_id, to);
    if (answer !== null) return answer;
    const passed_ms = ledger.facts().now.mono_ms - begun;
    if (passed_ms >= wait_ms || signal.aborted)
      return { status: 'timeout', thread_id, waited: Math.round(passed_ms / 1000) };
    const keys = [threadKey(thread_id), inboxKey(desk.who.id)];
    await bell.rung(
      (record) => Object.keys(record.s).some((key) => keys.includes(key) || isHold(key)),
      Math.min(LOOK_MS, wait_ms - passed_ms),
    );
  }
}

/** Null while there is none, and while another process has the ledger: the request is out, and waiting outlasts that. */
function answerSoFar(desk: Desk, thread_id: string, to: string): ReleaseAnswer | null {
  try {
    return replyIn(lettersOf(desk, thread_id), thread_id, to) ?? settledBeside(desk, thread_id, to);
  } catch (error) {
    if (isGuardError(error) && error.code === 'GUARD_ERR_BUSY') return null;
    throw error;
  }
}

const isHold = (key: string): boolean =>
  key.startsWith('path:') || key.startsWith('globs:') || key.startsWith('agent:');

/** Newest first, and only of whoever was asked. */
export function replyIn(letters: readonly Letter[], thread_id: string, asked: string): ReleaseAnswer | null {
  const replies = letters.filter(({ from }) => from === asked);
  for (const { kind, body, from } of replies.reverse()) {
    const fields = fieldsOf(body);
    const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
    const number = (name: string): number => (typeof fields[name] === 'number' ? fields[name] : 0);
    if (kind === 'release-ack')
      return {
        status: 'released',
        thread_id,
        released_by: from,
        reason: text('reason'),
        released_cnt: number('released_cnt'),
      };
    if (kind === 'release-defer')
      return { status: 'deferred', thread_id, eta_minutes: number('eta_minutes'), reason: text('reason') };
  }
  return null;
}

/** Nobody answered in this thread: whoever was asked holds nothing there any more, or answered the same in another one. */
function settledBeside({ ledger, who }: Desk, thread_id: string, to: string): ReleaseAnswer | null {
  const facts = ledger.facts();
  const talk = consult(ledger.store, (view) =>
    pendingOf(view, who.id, facts).find((one) => one.thread_id === thread_id),
  );
  if (talk?.is_free === false) {
    const { deferred, eta_minutes } = talk;
    return deferred ? { status: 'deferred', thread_id, eta_minutes: eta_minutes ?? 0, reason: '' } : null;
  }
  const reason = 'it holds nothing there any more';
  return { status: 'released', thread_id, released_by: to, reason, released_cnt: 0 };
}

export interface Response {
  readonly thread_id: string;
  readonly requester: string;
  readonly action: 'release' | 'defer';
  readonly file: string;
  readonly eta_minutes: number;
  readonly reason: string;
}

export type ResponseAnswer =
  | {
      readonly action: 'release';
      readonly thread_id: string;
      readonly file: string;
      /** How many leases and reservations ended. */
      readonly released: number;
      readonly released_reservations: readonly { readonly id: string; readonly pattern: string }[];
      readonly released_files: readonly string[];
      /** It was answered before, or is free since: nothing was done. */
      readonly settled?: true;
    }
  | {
      readonly action: 'defer';
      readonly thread_id: string;
      readonly file: string;
      readonly eta_minutes: number;
      readonly reason: string;
    };

/** @throws GuardError GUARD_ERR_USAGE for a thread that is not there */
export function respondToRelease(desk: Desk, response: Response): ResponseAnswer {
  const { thread_id, action, file, reason } = response;
  const requester = agentCalled(desk, response.requester);
  const meant = meantBy(desk.ledger, file);
  const { released, eta_minutes, error, settled } = desk.ledger.run({
    type: 'negotiate.respond',
    who: desk.who,
    requester,
    thread_id,
    action,
    meant,
    eta_minutes: response.eta_minutes,
    reason: reason.slice(0, 500),
  });
  if (error === 'NO_THREAD') throw refusal(`there is no negotiation ${thread_id}`, LIST);
  if (error === 'NOT_ASKED') throw refusal(`${requester} did not ask you for anything in ${thread_id}`, LIST);
  if (error === 'OTHER_FILE')
    throw refusal(`nothing was released: ${file} is not what ${requester} asked for in ${thread_id}`, LIST);
  if (error === 'SETTLED')
    throw refusal(`${thread_id} is settled already, so there is nothing to defer`, LOOK);
  const why = whyNotSent({ error });
  // What was released stays so, whether or not its requester can be told.
  if (action === 'defer' && why !== null)
    throw refusal(`no answer was sent: ${why}`, 'Say it a minute later.');
  if (action === 'defer') return { action, thread_id, file, eta_minutes, reason };
  return {
    action,
    thread_id,
    file,
    released: released.paths.length + released.reservations.length,
    released_reservations: released.reservations,
    released_files: released.paths,
    ...(settled ? { settled } : {}),
  };
}

export interface Pending {
  readonly requests: ReturnType<typeof pendingOf>;
  readonly negotiation_timeouts: readonly Expired[];
}

/** Requests that are not settled, those made and those received. */
export function pendingRequests(desk: Desk): Pending {
  const { ledger, who } = desk;
  const facts = ledger.facts();
  const requests = consult(ledger.store, (view) => pendingOf(view, who.id, facts));
  const { expired } = ledger.run({ type: 'message.fetch', who, after: Number.MAX_SAFE_INTEGER });
  return { requests, negotiation_timeouts: expired };
}
