/** The harness tools as a table: what each is called, says of itself, takes and does. */
import * as z from 'zod';
import { releaseCommand } from '../core/deadlock-words.ts';
import type { HarnessTool } from '../core/harness-tools.ts';
import { RESERVED, SIGNED_CHARS } from '../core/lock-tools.ts';
import type { Who } from '../core/rules/agent.ts';
import type { DraftState } from '../core/drafts.ts';
import { awaitAgent } from '../harness/await.ts';
import { draftAgent } from '../harness/draft.ts';
import { killAgent } from '../harness/kill.ts';
import { agentRows } from '../harness/list.ts';
import { reconcile } from '../harness/reconcile.ts';
import { allDrafts } from '../harness/site.ts';
import type { Site } from '../harness/site.ts';
import type { SayRelease } from '../locks/rows.ts';

export interface HarnessCall {
  readonly site: Site;
  readonly who: Who;
  readonly signal: AbortSignal;
  readonly onProgress: (draft: DraftState) => void;
}

export interface HarnessToolRow {
  readonly name: HarnessTool;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly is_read_only: boolean;
  /** @param input as the schema left it */
  run(input: unknown, call: HarnessCall): object | Promise<object>;
}

/** A command: the lock tools are another server's. Whoever is of no session must name itself. */
const releaseAt =
  (site: Site, { id, session }: Who): SayRelease =>
  (given) =>
    releaseCommand(
      given,
      site.facts().guard_command,
      (path) => site.facts().spelled?.(path) ?? path,
      session === null ? id : undefined,
    );

const reserved = {
  [RESERVED.agent]: z.string().max(SIGNED_CHARS).optional().describe('Filled in by guard. Leave it out.'),
  [RESERVED.cwd]: z.string().max(4_096).optional().describe('Filled in by guard. Leave it out.'),
};
const PROMPT_CHARS = 200_000;
const slug = z.string().min(1).max(64);
const agentId = z.string().min(1).max(200).describe('As draft_agent returned it.');

function tool<S extends z.ZodObject>(
  about: Omit<HarnessToolRow, 'input' | 'run'>,
  input: S,
  run: (input: z.output<S>, call: HarnessCall) => object | Promise<object>,
): HarnessToolRow {
  return { ...about, input, run: (given, call) => run(input.parse(given), call) };
}

export const HARNESS_ROWS: readonly HarnessToolRow[] = [
  tool(
    {
      name: 'draft_agent',
      title: 'Draft an agent',
      description:
        'Starts another agent with a role and a prompt, and returns its id at once, without waiting for it. ' +
        'Draft several to let them work side by side, then call await_agent for each.',
      is_read_only: false,
    },
    z.object({
      role: slug.describe('Name of a role of this repository.'),
      prompt: z.string().min(1).max(PROMPT_CHARS).describe('What it is to do. It knows nothing else of you.'),
      taskSlug: slug
        .optional()
        .describe('The task it works on; it is told its history. None: a new task is made.'),
      worktree: z.boolean().optional().describe('True: in a checkout and branch of its own.'),
      ...reserved,
    }),
    ({ role, prompt, taskSlug, worktree }, { site, who }) =>
      draftAgent(site, who, { role, prompt, task: taskSlug, worktree }),
  ),
  tool(
    {
      name: 'await_agent',
      title: 'Wait for an agent',
      description:
        'Waits until an agent is over and returns how it ended: status, its result (summary, changes, issues, ' +
        'questions) if it gave one, and its last message. May be called again. Status deadlock: it will never end unless you ' +
        'do what the message says.',
      is_read_only: true,
    },
    z.object({ agentId, ...reserved }),
    async ({ agentId: id }, { site, who, signal, onProgress }) =>
      (await awaitAgent(site, who, id, { signal, onProgress, release: releaseAt(site, who) })) ?? {
        status: 'cancelled',
      },
  ),
  tool(
    {
      name: 'kill_agent',
      title: 'End an agent',
      description: 'Ends a running agent, and every agent that it drafted. Their locks become free.',
      is_read_only: false,
    },
    z.object({ agentId, ...reserved }),
    ({ agentId: id }, { site, who }) => killAgent(site, who, id, 'kill_agent'),
  ),
  tool(
    {
      name: 'list_agents',
      title: 'List agents',
      description: 'The drafted agents that are running now.',
      is_read_only: true,
    },
    z.object(reserved),
    (_, { site }) => {
      reconcile(site);
      return { agents: agentRows(allDrafts(site), false) };
    },
  ),
  tool(
    {
      name: 'list_tasks',
      title: 'List tasks',
      description: 'The tasks of this repository, and how many agents have worked on each.',
      is_read_only: true,
    },
    z.object(reserved),
    (_, { site }) => ({ tasks: site.tasks.list() }),
  ),
  tool(
    {
      name: 'get_task_context',
      title: 'Read a task',
      description:
        'What is known of a task: its description, and what each agent that worked on it reported.',
      is_read_only: true,
    },
    z.object({ taskSlug: slug, ...reserved }),
    ({ taskSlug }, { site }) => ({ context: site.tasks.context(taskSlug) }),
  ),
];
