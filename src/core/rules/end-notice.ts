/** Notifies the drafter of a drafted agent's end: an urgent message, which is shown at the drafter's next step. */
import { type DraftState } from '../drafts.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Facts } from '../types.ts';
import { post } from './mail.ts';
import { canGoOn } from '../resumable.ts';
import type { Granting } from './transaction.ts';

export function noticeOfEnd(tx: Granting, draft: DraftState): void {
  const to = readerOf(tx.changes, draft);
  if (to === null || isAwaiting(tx, to, draft.id)) return;
  const message = {
    to: [to],
    topic: null,
    thread_id: null,
    ack_required: false,
    importance: 'urgent' as const,
  };
  // The message limit does not apply, so the end is always reported.
  const { policy } = tx.facts;
  const facts: Facts = { ...tx.facts, policy: { ...policy, messages_per_minute: Infinity } };
  post({ ...tx, facts }, { ...message, subject: `agent ended: ${draft.status}`, body: wordsOf(draft) });
}

/** People and gone agents do not read their inboxes; for a gone subagent, the session above it does. */
function readerOf(changes: Changes, { drafted_by }: DraftState): AgentId | null {
  const drafter = changes.agent(drafted_by);
  const above = drafter?.parent == null ? undefined : changes.agent(drafter.parent);
  return [drafter, above].find((agent) => agent?.live === true && agent.kind !== 'person')?.id ?? null;
}

/** The awaiting call itself reports the end. */
function isAwaiting({ changes, facts }: Granting, id: AgentId, awaited: AgentId): boolean {
  const { mono_ms, boot } = facts.now;
  return (changes.wait(id).awaits ?? []).some(
    ({ agent, until_mono_ms, boot: since, proc }) =>
      agent === awaited &&
      since === boot &&
      until_mono_ms > mono_ms &&
      !(proc !== null && facts.isDead(proc)),
  );
}

const WORDS_CHARS = 160;

/** Short enough to be shown whole (mail-words.ts). */
function wordsOf(draft: DraftState): string {
  const { id, role, status, reason, result, needs } = draft;
  const why = status === 'completed' ? '' : ` (${(reason ?? '').slice(0, 80)})`;
  const asks = needs == null ? '' : needInWords(needs.questions.length, needs.denials.length);
  const said = result === null ? '' : ` ${result.summary.slice(0, WORDS_CHARS)}`;
  const again = canGoOn(draft) ? ' message_agent resumes it.' : '';
  return `Your agent ${id} (${role}) is ${status}${why}.${asks}${said}${again} await_agent has the rest.`;
}

const needInWords = (questions: number, denials: number): string =>
  [
    questions > 0 ? ` It asks ${questions} ${questions === 1 ? 'question' : 'questions'}.` : '',
    denials > 0 ? ` It was not allowed ${denials} ${denials === 1 ? 'thing' : 'things'}.` : '',
  ].join('');
