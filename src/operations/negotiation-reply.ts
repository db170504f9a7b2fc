/** The outcome of a request for a file: an answer in its thread, or something else that settled it. */
import { GuardError } from '../core/error.ts';
import { fieldsOf, type Message } from '../core/mailbox.ts';
import { pendingOf } from '../core/rules/pending.ts';
import { consult } from '../store/transact.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';

export type ReleaseRequestAnswer =
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

/** Newest first, and only from the agent that was asked. */
export function replyIn(
  messages: readonly Message[],
  thread_id: string,
  asked: string,
): ReleaseRequestAnswer | null {
  const replies = messages.filter(({ from }) => from === asked);
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

/** Without an answer in this thread: the agent asked holds nothing there any more, or answered in another thread. */
export function settledBeside(
  space: CallerWorkspace,
  thread_id: string,
  to: string,
): ReleaseRequestAnswer | null {
  const { store, who } = space;
  const facts = space.facts();
  const negotiation = consult(store, (view) =>
    pendingOf(view, who.id, facts).find((one) => one.thread_id === thread_id),
  );
  if (negotiation?.is_free === false) {
    const { deferred, eta_minutes } = negotiation;
    return deferred ? { status: 'deferred', thread_id, eta_minutes: eta_minutes ?? 0, reason: '' } : null;
  }
  const reason = 'it holds nothing there any more';
  return { status: 'released', thread_id, released_by: to, reason, released_cnt: 0 };
}

export const noNegotiation = (why: string, hint: string): GuardError =>
  new GuardError('GUARD_ERR_USAGE', `${why}.`, hint);

export const LOOK_FIRST = 'Use check_conflicts or "guard status" to see who holds what.';
