/** Asking another agent to let go of a file, and answering. Nobody is forced; what is said to be released was released. */
import { parseGlob } from '../glob/parse.ts';
import type { View } from '../ledger.ts';
import { asMessage, asThread, messageKey, threadKey } from '../mailbox.ts';
import type { NegotiationParties, Negotiation } from '../mailbox.ts';
import { ETA_MAX_MINUTES } from '../limits.ts';
import { draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import type { AgentId, Facts, RepoPath } from '../types.ts';
import { present } from './agent.ts';
import type { Who } from './agent.ts';
import { pathsHeldBy } from './held-paths.ts';
import { changeTalk, post, negotiationOf } from './mail.ts';
import type { Sent } from './mail.ts';
import { meetIn } from './overlap.ts';
import { keepPromises } from './promised.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';
import { dropOver, heldOver } from './unreserve.ts';
import type { ReleasedOver } from './unreserve.ts';

/** What a file or glob means: as it was written, and in the repository. */
export interface Meant {
  readonly file: string;
  readonly scope: string;
  readonly pattern: string;
  /** Of a single file. */
  readonly path: RepoPath | null;
}

export interface RequestEvent {
  readonly type: 'negotiate.request';
  readonly who: Who;
  readonly to: AgentId;
  readonly meant: Meant;
  readonly reason: string;
  readonly urgency: Negotiation['urgency'];
  readonly thread_id: string;
}

/** `NOTHING_HELD`: that agent holds nothing there, so there is nothing to ask for. */
export interface Requested {
  readonly sent: Sent | null;
  readonly error: 'NOTHING_HELD' | Sent['error'];
}

export function requestRelease(view: View, event: RequestEvent, facts: Facts): Step<Requested> {
  const { who, to, meant, reason, urgency, thread_id } = event;
  const draft = draftOver(view);
  const agent = present(draft, who, facts, view.next);
  if (!holdsOver(draft, to, meant, pathsHeldBy(view, draft, to, facts), facts))
    return { records: [], result: { sent: null, error: 'NOTHING_HELD' } };
  const request = {
    type: 'release-request',
    file: meant.file,
    reason,
    requester: who.id,
    urgency,
    thread_id,
  };
  const sent = post(
    draft,
    agent.id,
    {
      to: [to],
      topic: null,
      thread_id,
      subject: 'release-request',
      body: JSON.stringify(request),
      importance: urgency,
      ack_required: urgency === 'urgent',
    },
    facts,
    view.next,
  );
  const { path, scope, pattern } = meant;
  const asked = { thread_id, from: agent.id, to };
  for (const one of [agent.id, to]) changeTalk(draft, one, asked, { path, over: { scope, pattern } });
  return answer(draft, agent, facts, { sent, error: sent.error });
}

export interface RespondEvent {
  readonly type: 'negotiate.respond';
  readonly who: Who;
  readonly requester: AgentId;
  readonly thread_id: string;
  readonly action: 'release' | 'defer';
  readonly meant: Meant;
  readonly eta_minutes: number;
  readonly reason: string;
}

export interface Responded {
  readonly released: ReleasedOver;
  readonly eta_minutes: number;
  /** It was answered before, or is free since: said again it changes nothing, and nobody is told again. */
  readonly settled?: true;
  /**
   * `NOT_ASKED`: not of this agent, or not by that one; `SETTLED`: nothing is left to defer; `OTHER_FILE`: it is not what
   * was asked for, or that would still be held.
   */
  readonly error: 'NO_THREAD' | 'NOT_ASKED' | 'SETTLED' | 'OTHER_FILE' | Sent['error'];
}

export function respond(view: View, event: RespondEvent, facts: Facts): Step<Responded> {
  const { who, requester, thread_id, meant, action, reason } = event;
  const eta_minutes = Math.min(ETA_MAX_MINUTES, Math.max(0, Math.round(event.eta_minutes) || 0));
  const nothing: ReleasedOver = { reservations: [], paths: [] };
  const nothingDone = { released: nothing, eta_minutes, error: null };
  const refused = (error: Responded['error']): Step<Responded> => ({
    records: [],
    result: { ...nothingDone, error },
  });
  if (asThread(view.get(threadKey(thread_id))).ids.length === 0) return refused('NO_THREAD');
  const asked = { thread_id, from: requester, to: who.id };
  const talk = negotiationOf(draftOver(view), asked);
  if (talk === undefined) {
    if (!wasAsked(view, asked)) return refused('NOT_ASKED');
    return action === 'defer'
      ? refused('SETTLED')
      : { records: [], result: { ...nothingDone, settled: true } };
  }
  if (talk.over && !isAbout(meant, talk.over)) return refused('OTHER_FILE');
  const draft = draftOver(view);
  const agent = present(draft, who, facts, view.next);
  const mine = action === 'release' ? pathsHeldBy(view, draft, who.id, facts) : [];
  const held =
    action === 'release' ? heldOver(draft, who.id, meant.scope, meant.pattern, mine, facts) : NOTHING_HELD;
  const released =
    action === 'release' ? dropOver(draft, agent, meant.scope, meant.pattern, mine, facts) : nothing;
  if (action === 'release' && talk.over && holdsOver(draft, talk.to, talk.over, mine, facts))
    return refused('OTHER_FILE');
  if (action === 'release') keepPromises(draft, who.id, held, facts, view.next, talk);
  const released_cnt = released.paths.length + released.reservations.length;
  const body =
    action === 'release'
      ? {
          type: 'release-ack',
          file: meant.file,
          released: true,
          released_by: who.id,
          released_cnt,
          ...reasonOf(reason),
        }
      : { type: 'release-defer', file: meant.file, eta_minutes, reason, released: false };
  const sent = post(
    draft,
    agent.id,
    {
      to: [requester],
      topic: null,
      thread_id,
      subject: body.type,
      body: JSON.stringify(body),
      importance: 'normal',
      ack_required: false,
    },
    facts,
    view.next,
  );
  return answer(draft, agent, facts, { released, eta_minutes, error: sent.error });
}

const NOTHING_HELD = { reservations: [], paths: [] } as const;

/** Whether the two have a path in common. */
const isAbout = ({ scope, pattern }: Meant, over: NonNullable<Negotiation['over']>): boolean =>
  meetIn(over, scope, parseGlob(pattern));

/** What is settled is no negotiation any more; its thread still knows. */
function wasAsked(view: View, { thread_id, from, to }: NegotiationParties): boolean {
  const keys = asThread(view.get(threadKey(thread_id))).ids.map(messageKey);
  const letters = keys.flatMap((key) => asMessage(view.get(key)) ?? []);
  return letters.some(
    (letter) => letter.kind === 'release-request' && letter.from === from && letter.to.includes(to),
  );
}

const holdsOver = (
  draft: Draft,
  agent: AgentId,
  { scope, pattern }: NonNullable<Negotiation['over']>,
  candidates: readonly RepoPath[],
  facts: Facts,
): boolean => {
  const { paths, reservations } = heldOver(draft, agent, scope, pattern, candidates, facts);
  return paths.length + reservations.length > 0;
};

/** Whether the one who was asked still holds some of it. */
export function isStillHeld(view: View, { to, over }: Negotiation, facts: Facts): boolean {
  if (!over) return false;
  const draft = draftOver(view);
  return holdsOver(draft, to, over, pathsHeldBy(view, draft, to, facts), facts);
}

const reasonOf = (reason: string): { readonly reason?: string } => (reason === '' ? {} : { reason });
