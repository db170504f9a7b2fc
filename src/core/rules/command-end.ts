// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** After a command line: what it left in the files that it had announced to write, and the end of what it held. */
import type { View } from '../ledger.ts';
import { leaseIn } from '../lease-scope.ts';
import { type Changes, changesOver } from '../states.ts';
import type { AgentState, Digest, Facts, OpenCommand, RepoPath } from '../types.ts';
import type { Who } from './who.ts';
import { setHolds } from './holds.ts';
import { transactionOf } from './opened.ts';
import { answer, record, type Step, type Transaction } from './transaction.ts';

/** A file as it is now. */
export interface LeftFile {
  readonly path: RepoPath;
  /** `null`: no file. */
  readonly digest: Digest | null;
}

export interface CommandEndEvent {
  readonly type: 'command.end';
  readonly who: Who;
  readonly op: string;
  readonly tool: string;
  /** Those of its files that could be read. */
  readonly left: readonly LeftFile[];
}

/** Returns the announced files that it changed: none if the command is not open (reported twice, or never approved). */
export function endCommand(view: View, event: CommandEndEvent, facts: Facts): Step<readonly LeftFile[]> {
  const open = changesOver(view)
    .agent(event.who.id)
    ?.commands?.find(({ id }) => id === event.op);
  if (open === undefined) return { records: [], result: [] };
  const tx = transactionOf(view, event.who, facts);
  const { changes, agent } = tx;
  // Another process of the session has joined meanwhile, which ended everything this one did.
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
  const { changes, agent, facts, next } = tx;
  const state = changes.path(path);
  changes.setPath(path, {
    ...state,
    intent: null,
    last_write: { agent: agent.id, digest, lsn: next, op, wall_ms: facts.now.wall_ms },
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

/** Clears its intent and the lease that it took for itself. */
function letGo(changes: Changes, path: RepoPath, op: string): void {
  const own = changes.path(path);
  if (own.intent?.op === op) changes.setPath(path, { ...own, intent: null });
  const at = leaseIn(changes, path);
  const state = changes.path(at);
  const holds = state.holds.filter(({ command }) => command !== op);
  if (holds.length < state.holds.length) setHolds(changes, at, { ...state, holds });
}

function without(agent: AgentState, open: OpenCommand): AgentState {
  const { commands = [], ...rest } = agent;
  const left = commands.filter(({ id }) => id !== open.id);
  return left.length === 0 ? rest : { ...rest, commands: left };
}
