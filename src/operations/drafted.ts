/** Drafted agents: starting, awaiting, ending and listing them. */
import type { DraftState } from '../core/drafts.ts';
import { PRIORITY_MAX } from '../core/draft-queue.ts';
import { statusOf } from '../core/report.ts';
import { rfc3339 } from '../core/rfc3339.ts';
import { isSlug, SLUG_WORDS } from '../core/task-slug.ts';
import { agentMeant, idMeant } from '../harness/agent-meant.ts';
import { draftAgent, type Drafted, type DraftRequest } from '../harness/draft.ts';
import { killAgent } from '../harness/kill.ts';
import { messageAgent } from '../harness/message-agent.ts';
import { agentRows, sumsOf, toolCounts, treeRows } from '../harness/list.ts';
import { type Live, liveOf } from '../harness/live.ts';
import { queuedNow } from '../harness/queue-place.ts';
import { reconcile } from '../harness/reconcile.ts';
import { allDrafts, type HarnessWorkspace } from '../harness/workspace.ts';
import { AGENT_ID, awaitEnds } from './awaiting.ts';
import { consult } from '../store/transact.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { type Field, flag, neverEmpty, number, oneOrMany, optional, text, withDefault } from './field.ts';
import { operation } from './operation.ts';
import { wrong } from './read-input.ts';

export type DrafterWorkspace = HarnessWorkspace & CallerWorkspace;

const PROMPT_CHARS = 200_000;
const REASON_CHARS = 200;
const AFTER_MAX = 100;
const SINCE_MAX_S = 10 * 366 * 86_400;
export const slug = (about: string): Field<string> => text(about, { form: [{ test: isSlug }, SLUG_WORDS] });
export const longText = (about: string): Field<string> => text(about, { max_chars: PROMPT_CHARS });

const DRAFTED = {
  role: slug('A role of this repository'),
  prompt: longText('What it is to do; it knows nothing else from you'),
  taskSlug: neverEmpty(optional(slug('The task it works on, with its history; by default a new one'))),
  worktree: withDefault(flag('In its own checkout and branch'), false),
  name: neverEmpty(optional(slug('A name to use instead of its id'))),
  after: withDefault(
    oneOrMany(
      'Agents or tasks that must complete before it starts; if one fails for good, it never does',
      AGENT_ID,
      AFTER_MAX,
    ),
    [],
  ),
  anyway: withDefault(flag('It starts after them even if one fails'), false),
  priority: withDefault(number('Higher starts first', { min: -PRIORITY_MAX, max: PRIORITY_MAX }), 0),
};

export const DRAFT_AGENT = operation(
  'draft_agent',
  DRAFTED,
  ({ taskSlug, ...asked }, space: DrafterWorkspace) => draft({ ...asked, task: taskSlug }, space),
);

/** With a prompt, or with a plan to carry out; waits for the end of a plan, and of a prompt on request. */
export const DRAFT_AND_AWAIT = operation(
  'draft_and_await',
  {
    ...DRAFTED,
    prompt: neverEmpty(optional(DRAFTED.prompt)),
    plan: optional(longText('A written plan')),
    wait: withDefault(flag(''), false),
  },
  async ({ plan, wait, taskSlug: task, ...asked }, space: DrafterWorkspace, around) => {
    if (plan !== undefined && asked.prompt !== undefined)
      throw wrong('plan', 'Pass either a prompt or a plan.');
    const prompt = plan ?? asked.prompt ?? '';
    const drafted = draft({ ...asked, prompt, task, is_plan: plan !== undefined }, space);
    if (plan === undefined && !wait) return drafted;
    around.onDrafted?.(drafted);
    return awaitEnds([drafted.agentId], {}, space, around);
  },
);

function draft(request: DraftRequest, space: DrafterWorkspace): Drafted {
  if (request.prompt.trim() === '') throw wrong('prompt', 'prompt must say what the agent is to do.');
  return draftAgent(space, space.who, request);
}

export const ONE = { agentId: AGENT_ID };
export const KILL_AGENT = operation('kill_agent', ONE, ({ agentId }, space: DrafterWorkspace) =>
  killAgent(space, space.who, idMeant(space, agentId), 'kill_agent'),
);

export const MESSAGE_AGENT = operation(
  'message_agent',
  { ...ONE, text: longText('What to say') },
  ({ agentId, text: said }, space: DrafterWorkspace) => {
    if (said.trim() === '') throw wrong('text', 'text must not be empty.');
    return messageAgent(space, space.who, agentId, said);
  },
);

/** The same with a reason, for the record. */
export const KILL_FOR = operation(
  'kill_for',
  { ...ONE, reason: withDefault(text('', { max_chars: REASON_CHARS }), 'guard agent kill') },
  ({ agentId, reason }, space: DrafterWorkspace) =>
    killAgent(space, space.who, idMeant(space, agentId), reason),
);

export const LIST_DRAFTED = operation('list_agents', {}, (_, space: HarnessWorkspace) => {
  reconcile(space);
  return { agents: agentRows(allDrafts(space), queuedNow(space)) };
});

/** Which agent drafted which, what they do now, hold, wait for and need; with totals. */
export const DRAFTED_TREE = operation(
  'drafted_tree',
  {
    all: withDefault(flag('Also those that have ended'), false),
    since_seconds: optional(number('Also those that ended in this time', { min: 0, max: SINCE_MAX_S })),
  },
  ({ all, since_seconds }, space: HarnessWorkspace) => {
    reconcile(space);
    const [facts, drafts] = [space.facts(), allDrafts(space)];
    const { wall_ms } = facts.now;
    // If no agent was drafted, it does not matter what ten thousand others hold.
    if (drafts.length === 0) return { agents: [], sums: sumsOf([]), now: rfc3339(wall_ms), is_whole: all };
    const report = consult(space.store, (view) => statusOf(view, facts));
    const ended_after_ms = since_seconds === undefined ? null : wall_ms - since_seconds * 1000;
    const live = (draft: DraftState): Live => liveOf(space.repo.state_dir, draft);
    const agents = treeRows(drafts, report, {
      ...{ all, ended_after_ms, now_ms: wall_ms, live, queued: queuedNow(space) },
    });
    return { agents, sums: sumsOf(agents), now: rfc3339(wall_ms), is_whole: all };
  },
);

export const TOOL_COUNTS = operation(
  'tool_counts',
  { agentId: optional(ONE.agentId) },
  ({ agentId }, space: HarnessWorkspace) => ({
    tools: toolCounts(agentId === undefined ? allDrafts(space) : [agentMeant(space, agentId)]),
  }),
);
