/** Answering a request for a file, and listing what is still to be answered. */
import { ETA_MAX_MINUTES } from '../core/limits.ts';
import type { Expired } from '../core/rules/expired.ts';
import { pendingOf } from '../core/rules/pending.ts';
import { consult } from '../store/transact.ts';
import { agentCalled } from './agents.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { choice, type InputOf, label, neverEmpty, number, text, withDefault } from './field.ts';
import { operation } from './operation.ts';
import { LOOK_FIRST, noNegotiation } from './negotiation-reply.ts';
import { meantBy } from './pattern.ts';
import { REASON_CHARS } from './reservations.ts';
import { refuseUnsent } from './send.ts';

const LIST =
  'fetch_inbox and "guard negotiate pending" list the requests to you, with thread, requester and file.';

const ANSWERED = {
  thread_id: label(''),
  requester: label(''),
  action: choice('', ['release', 'defer']),
  file: text(''),
  eta_minutes: neverEmpty(
    withDefault(number('With defer: 0 to 60', { min: 0, max: ETA_MAX_MINUTES, cut: true }), 0),
  ),
  reason: withDefault(text('', { max_chars: REASON_CHARS, cut: true }), ''),
};

export type ResponseAnswer =
  | {
      readonly action: 'release';
      readonly thread_id: string;
      readonly file: string;
      /** How many leases and reservations ended. */
      readonly released: number;
      readonly released_reservations: readonly { readonly id: string; readonly pattern: string }[];
      readonly released_files: readonly string[];
      /** It was answered before, or is free by now: nothing was done. */
      readonly settled?: true;
    }
  | {
      readonly action: 'defer';
      readonly thread_id: string;
      readonly file: string;
      readonly eta_minutes: number;
      readonly reason: string;
    };

export const RESPOND_TO_RELEASE = operation('respond_to_release', ANSWERED, respondToRelease);

/** @throws GuardError GUARD_ERR_USAGE for a thread that does not exist */
function respondToRelease(response: InputOf<typeof ANSWERED>, space: CallerWorkspace): ResponseAnswer {
  const { thread_id, action, file, reason } = response;
  const requester = agentCalled(space, response.requester);
  const meant = meantBy(space, file);
  const { released, eta_minutes, error, settled } = space.run({
    type: 'negotiate.respond',
    who: space.who,
    requester,
    thread_id,
    action,
    meant,
    eta_minutes: response.eta_minutes,
    reason,
  });
  if (error === 'NO_THREAD') throw noNegotiation(`there is no negotiation ${thread_id}`, LIST);
  if (error === 'NOT_ASKED')
    throw noNegotiation(`${requester} did not ask you for anything in ${thread_id}`, LIST);
  if (error === 'OTHER_FILE')
    throw noNegotiation(
      `nothing was released: ${file} is not what ${requester} asked for in ${thread_id}`,
      LIST,
    );
  if (error === 'SETTLED')
    throw noNegotiation(`${thread_id} is settled already, so there is nothing to defer`, LOOK_FIRST);
  // What was released stays released, whether or not the requester can be notified.
  if (action === 'defer') refuseUnsent(error, space);
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

/** Unsettled requests, both those made and those received. */
export const PENDING_REQUESTS = operation('pending_requests', {}, (_, space): Pending => {
  const { store, run, who } = space;
  const facts = space.facts();
  const requests = consult(store, (view) => pendingOf(view, who.id, facts));
  const { expired } = run({ type: 'message.fetch', who, after: Number.MAX_SAFE_INTEGER });
  return { requests, negotiation_timeouts: expired };
});
