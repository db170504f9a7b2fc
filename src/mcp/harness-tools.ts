import { LIST_EVERYBODY } from '../operations/everybody.ts';
import { AWAIT_AGENT } from '../operations/awaiting.ts';
import {
  DRAFT_AGENT,
  type DrafterWorkspace,
  KILL_AGENT,
  LIST_DRAFTED,
  MESSAGE_AGENT,
} from '../operations/drafted.ts';
import { GET_TASK_CONTEXT, LIST_TASKS } from '../operations/tasks.ts';
import { asTool, type Tool } from './tool.ts';

export const SERVED_HARNESS_TOOLS: readonly Tool<DrafterWorkspace>[] = [
  asTool(DRAFT_AGENT, {
    description:
      'Starts another agent with a role and a prompt, and returns its id at once, without waiting for it. ' +
      'Draft several to let them work side by side, then call await_agent with all their ids.',
    answers: { agentId: 'string', role: 'string', taskSlug: 'string' },
  }),
  asTool(AWAIT_AGENT, {
    description:
      'Waits until an agent has ended and returns how it ended: status, its result (summary, changes, issues, ' +
      'questions) if it gave one, its last message, and in "needs" what it asked or was not allowed to do. Also takes a list of ids. ' +
      'Status running: it is still at work, call again. Status deadlock: it will never end unless you do what the message says.',
    answers: { status: 'string' },
    is_read_only: true,
  }),
  asTool(KILL_AGENT, {
    description: 'Ends a running agent, and every agent that it drafted. Their locks become free.',
    answers: { success: 'boolean', message: 'string' },
    is_destructive: true,
  }),
  asTool(MESSAGE_AGENT, {
    description:
      'Sends a message to an agent: an answer to what it asks in "needs", a follow-up, a review. One that is running sees it at its next step; ' +
      'one that has ended continues where it stopped, with what is left of its limits: await it again.',
    answers: { agentId: 'string', status: 'string', taskSlug: 'string' },
  }),
  asTool(LIST_DRAFTED, {
    description: 'The drafted agents that are running now.',
    answers: { agents: 'array' },
    is_read_only: true,
  }),
  asTool(LIST_TASKS, {
    description: 'The tasks of this repository, and how many agents have worked on each.',
    answers: { tasks: 'array' },
    is_read_only: true,
  }),
  asTool(GET_TASK_CONTEXT, {
    description:
      'What is known about a task: its description, and what each agent that worked on it reported.',
    answers: { context: 'string' },
    is_read_only: true,
  }),
];

/** Replaces both `list_agents` if one server has the tools of both kinds. */
export const SERVED_EVERYBODY: readonly Tool<DrafterWorkspace>[] = [
  asTool(LIST_EVERYBODY, {
    description:
      'agents: the drafted agents that are running now. here: everyone who works here, with ids, names, what they can do, when they were last seen.',
    answers: { agents: 'array', here: 'array' },
    is_read_only: true,
  }),
];
