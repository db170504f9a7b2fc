// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** After a command line: what it left in the files that it said it would write, and the end of what it held. */
import type { View } from '../ledger.ts';
import { type Changes, changesOver } from '../states.ts';
import type { AgentState, Digest, Facts, OpenCommand, RepoPath } from '../types.ts';
import type { Who } from './agent.ts';
import { setHolds } from './holds.ts';
import { answer, record, type Step, type Transaction, transactionOf } from './transaction.ts';

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
  const open = changesOver(view)
    .agent(event.who.id)
    ?.commands?.find(({ id }) => id === event.op);
  if (open === undefined) return { records: [], result: [] };
  const tx = transactionOf(view, event.who, facts);
  const { changes, agent } = tx;
  // Another process of the session came meanwhile: what this one did ended with it.
  if (!agent.commands?.includes(open)) return answer(tx, []);
  const changed = event.left.filter((file) => isChanged(changes, file, event));
  for (const file of changed) settle(tx, event, file);
  for (const path of open.paths) letGo(changes, path, event.op);
  changes.setAgent(without(changes.agent(agent.id) ?? agent, open));
  const { op, tool } = event;
  record(tx, 'command.end', { op, tool, paths: open.paths });
  return answer(tx, changed);
}

function isChanged(changes: Changes, { path, digest }: LeftFile, { who, op }: CommandEndEvent): boolean {
  const { intent } = changes.path(path);
  return intent?.agent === who.id && intent.op === op && intent.digest !== digest;
}

function settle(tx: Transaction, { op, tool }: CommandEndEvent, { path, digest }: LeftFile): void {
  const { changes, agent, next } = tx;
  const state = changes.path(path);
  changes.setPath(path, {
    ...state,
    intent: null,
    last_write: { agent: agent.id, digest, lsn: next, op },
    touched: next,
  });
  record(tx, 'write', {
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
function letGo(changes: Changes, path: RepoPath, op: string): void {
  const state = changes.path(path);
  const holds = state.holds.filter(({ command }) => command !== op);
  const intent = state.intent?.op === op ? null : state.intent;
  if (holds.length === state.holds.length && intent === state.intent) return;
  setHolds(changes, path, { ...state, holds, intent });
}

function without(agent: AgentState, open: OpenCommand): AgentState {
  const { commands = [], ...rest } = agent;
  const left = commands.filter(({ id }) => id !== open.id);
  return left.length === 0 ? rest : { ...rest, commands: left };
}
