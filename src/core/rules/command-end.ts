// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** After a command line: what it left in the files that it said it would write, and the end of what it held. */
import type { View } from '../ledger.ts';
import { draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import type { AgentState, Digest, Facts, OpenCommand, RepoPath } from '../types.ts';
import { present } from './agent.ts';
import type { Who } from './agent.ts';
import { setHolds } from './holds.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';

/** A file as it is now. */
export interface LeftFile {
  readonly path: RepoPath;
  /** Null: no file. */
  readonly digest: Digest | null;
}

export interface CommandEndEvent {
  readonly type: 'command.end';
  readonly who: Who;
  readonly op: string;
  readonly tool: string;
  /** Those of its files that could be looked at. */
  readonly left: readonly LeftFile[];
}

/** What it changed of its own files. A command that is not open (told again, or never approved) changed nothing. */
export function endCommand(view: View, event: CommandEndEvent, facts: Facts): Step<readonly LeftFile[]> {
  const draft = draftOver(view);
  const open = draft.agent(event.who.id)?.commands?.find(({ id }) => id === event.op);
  if (open === undefined) return { records: [], result: [] };
  const agent = present(draft, event.who, facts, view.next);
  // Another process of the session came meanwhile: what this one did ended with it.
  if (!agent.commands?.includes(open)) return answer(draft, agent, facts, []);
  const changed = event.left.filter((file) => isChanged(draft, file, event));
  for (const file of changed) settle(draft, agent, event, file, view.next, facts);
  for (const path of open.paths) letGo(draft, path, event.op);
  draft.setAgent(without(draft.agent(agent.id) ?? agent, open));
  const { wall_ms: ts_ms } = facts.now;
  const { op, tool } = event;
  draft.record({ type: 'command.end', agent: agent.id, ts_ms, op, tool, paths: open.paths });
  return answer(draft, agent, facts, changed);
}

function isChanged(draft: Draft, { path, digest }: LeftFile, { who, op }: CommandEndEvent): boolean {
  const { intent } = draft.path(path);
  return intent?.agent === who.id && intent.op === op && intent.digest !== digest;
}

function settle(
  draft: Draft,
  agent: AgentState,
  { op, tool }: CommandEndEvent,
  { path, digest }: LeftFile,
  next: number,
  facts: Facts,
): void {
  const state = draft.path(path);
  draft.setPath(path, {
    ...state,
    intent: null,
    last_write: { agent: agent.id, digest, lsn: next, op },
    touched: next,
  });
  draft.record({
    type: 'write',
    agent: agent.id,
    ts_ms: facts.now.wall_ms,
    path,
    tool,
    op,
    digest,
    content: 'unknown',
    original: 'unverified',
    author: 'parsed',
  });
}

/** Its intent, and the lease that it took for itself. */
function letGo(draft: Draft, path: RepoPath, op: string): void {
  const state = draft.path(path);
  const holds = state.holds.filter(({ command }) => command !== op);
  const intent = state.intent?.op === op ? null : state.intent;
  if (holds.length === state.holds.length && intent === state.intent) return;
  setHolds(draft, path, { ...state, holds, intent });
}

function without(agent: AgentState, open: OpenCommand): AgentState {
  const { commands = [], ...rest } = agent;
  const left = commands.filter(({ id }) => id !== open.id);
  return left.length === 0 ? rest : { ...rest, commands: left };
}
