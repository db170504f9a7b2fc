// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * After a guarded write: what was actually written, by which agent, and the end of the intent. Also ends without a
 * result: a failure, a batch that has passed, an op that another event replaced.
 */
import type { View } from '../ledger.ts';
import type { Digest, Facts, Intent, RepoPath } from '../types.ts';
import { mayBeElsewhere } from '../worktrees.ts';
import { activeNow, endOp } from './agent.ts';
import type { Who } from './who.ts';
import { endCalls } from './calls.ts';
import { type Elsewhere, elsewhere } from './elsewhere.ts';
import { transactionOf } from './opened.ts';
import { answer, record, type Step, type Transaction } from './transaction.ts';

/** A file that a tool reports as written. */
export interface WrittenFile {
  readonly path: RepoPath;
  /** The digest on disk now; `null`: no file. */
  readonly digest: Digest | null;
  /** Whether the disk has what the tool wrote. `unknown`: the response does not show it. */
  readonly content: 'as_expected' | 'differs' | 'unknown';
  /** Whether the tool replaced the approved content. */
  readonly original: (approved: Pick<Intent, 'digest' | 'form'>) => 'same' | 'other' | 'unverified';
}

export interface WriteEndEvent {
  readonly type: 'write.end';
  readonly who: Who;
  readonly op: string;
  readonly tool: string;
  readonly written: readonly WrittenFile[];
}

/**
 * The outcome for one file. `known`: the agent may count the disk's content as seen. `repeated`: the event was reported
 * before, and its consequences were handled then.
 */
export interface WriteOutcome {
  readonly path: RepoPath;
  readonly known: boolean;
  readonly raced: boolean;
  readonly content: WrittenFile['content'];
  /** Written without guard's approval (guard was off, or the hook did not run). */
  readonly unapproved: boolean;
  readonly repeated: boolean;
  /** Other agents with the same path in other checkouts, if not reported before. Absent: none. */
  readonly elsewhere?: readonly Elsewhere[];
}

export function endWrite(view: View, event: WriteEndEvent, facts: Facts): Step<readonly WriteOutcome[]> {
  const paths = event.written.map((written) => written.path);
  const tx = transactionOf(view, event.who, facts);
  const { changes, agent } = tx;
  if (paths.length > 0 && paths.every((path) => changes.path(path).last_write?.op === event.op)) {
    // The same event again: settings and plugin may both run this hook.
    return answer(
      tx,
      event.written.map((written) => repeated(written)),
    );
  }
  const ended = agent.op?.id === event.op ? endOp(changes, { ...agent, ...activeNow(facts) }) : agent;
  const beside = mayBeElsewhere(changes, paths) ? elsewhere(tx, event.written) : [];
  const outcomes = event.written.map((written) => {
    const outcome = settle({ ...tx, agent: ended }, event, written);
    const found = beside.filter(({ path }) => path === written.path);
    return found.length === 0 ? outcome : { ...outcome, elsewhere: found };
  });
  return answer(tx, outcomes);
}

const repeated = (written: WrittenFile): WriteOutcome => ({
  path: written.path,
  known: written.content !== 'differs',
  raced: false,
  content: written.content,
  unapproved: false,
  repeated: true,
});

function settle(tx: Transaction, event: WriteEndEvent, written: WrittenFile): WriteOutcome {
  const { changes, agent, next } = tx;
  const state = changes.path(written.path);
  const approved = state.intent?.agent === agent.id && state.intent.op === event.op ? state.intent : null;
  const original = approved === null ? 'unverified' : written.original(approved);
  const raced = original === 'other';
  changes.setPath(written.path, {
    ...state,
    intent: approved === null ? state.intent : null,
    last_write: {
      ...{ agent: agent.id, digest: written.digest, lsn: next, op: event.op },
      wall_ms: tx.facts.now.wall_ms,
    },
    touched: next,
  });
  record(tx, recordType(approved !== null, raced), {
    path: written.path,
    tool: event.tool,
    op: event.op,
    digest: written.digest,
    content: written.content,
    original,
  });
  return {
    path: written.path,
    known: written.content !== 'differs' && !raced,
    raced,
    content: written.content,
    unapproved: approved === null,
    repeated: false,
  };
}

function recordType(approved: boolean, raced: boolean): 'write' | 'write.raced' | 'bypass' {
  if (!approved) return 'bypass';
  return raced ? 'write.raced' : 'write';
}

export interface OpEndEvent {
  readonly type: 'op.end';
  readonly who: Who;
  /** The calls that have ended, exclusive or merely long; `null`: any open exclusive call. */
  readonly ops: readonly string[] | null;
}

/** PostToolUseFailure, PostToolBatch, the next exclusive call: the intent ends; presumably nothing was written. */
export function endOpen(view: View, event: OpEndEvent, facts: Facts): Step<null> {
  const tx = transactionOf(view, event.who, facts);
  const { changes, agent } = tx;
  const over = agent.op !== null && (event.ops === null || event.ops.includes(agent.op.id));
  const ended = over ? endOp(changes, agent) : agent;
  if (agent.calls && event.ops) endCalls({ ...tx, agent: ended }, event.ops);
  return answer(tx, null);
}
