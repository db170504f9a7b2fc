/**
 * PreToolUse of a guarded write: checked against baseline, leases and writes in flight; on success the intent is in the
 * ledger before the tool runs (promises P1 to P4).
 */
import { isIntentLive } from '../alive.ts';
import type { Objection } from '../denial.ts';
import type { View } from '../ledger.ts';
import { writeInFlight } from '../messages.ts';
import { shownAt, type ShownFile } from '../shown.ts';
import { rfc3339 } from '../rfc3339.ts';
import type { Digest, Facts, RepoPath } from '../types.ts';
import { activeNow, atWork, withoutCalls } from './agent.ts';
import { judgeBaseline } from './baseline.ts';
import { findDeadlocks } from './deadlock.ts';
import { mayWait } from './edges.ts';
import { deadlockObjections } from './deadlock-denial.ts';
import { coveringHold } from './lease.ts';
import { objectionByOthers } from './not-held.ts';
import { noteOwnWorktree } from './own-worktree.ts';
import { takeLeases } from './take-leases.ts';
import { madeGood, reject } from './write-reject.ts';
import type { JudgedWrite } from './judged-write.ts';
import { transactionOf } from './opened.ts';
import { answer, record, type Step } from './transaction.ts';
import type { WriteTarget, WriteBeginEvent, WriteVerdict } from './write-event.ts';

/** With its agent at work and the policy for this write, which differs in the agent's own worktree. */
function judgedFrom(view: View, event: WriteBeginEvent, given: Facts): JudgedWrite {
  const { who, worktree } = event;
  const facts = worktree ? noteOwnWorktree(view, { who, worktree }, given) : given;
  const tx = transactionOf(view, who, facts);
  return { ...tx, event, agent: atWork(tx.changes, tx.agent, facts) };
}

export function beginWrite(view: View, event: WriteBeginEvent, given: Facts): Step<WriteVerdict> {
  const write = judgedFrom(view, event, given);
  const { changes, agent } = write;
  const paths = event.targets.map((target) => target.path);
  // The same call again: settings and plugin may both run this hook. Its other files are checked separately.
  if (agent.op?.id === event.op && paths.every((path) => agent.op?.paths.includes(path)))
    return answer(write, { verdict: 'approved' });
  if (event.targets.some((target) => changes.path(target.path).touched !== target.seen_touched)) {
    return { records: [], result: { verdict: 'retry' } };
  }
  const doomed = doom(write);
  const words = event.targets.flatMap((target) => judge(write, target));
  if (event.ignored === null && words.some(({ objection }) => objection?.error_type === 'NOT_LOCKED'))
    return { records: [], result: { verdict: 'ask' } };
  const objections = [...words.flatMap(({ objection }) => objection ?? []), ...doomed];
  if (objections.length > 0) return reject(write, objections);
  approve(write);
  // A lease that the write took may close a cycle.
  if (mayWait(changes, agent)) findDeadlocks(write, []);
  return answer(write, { verdict: 'approved' });
}

/** One rule's answer about one target; `objection` is `null` if it has none. */
export interface Judgement {
  readonly rule: 'path' | 'baseline' | 'write_in_flight' | 'lease' | 'deadlock';
  readonly path: RepoPath;
  readonly objection: Objection | null;
}

function judge(write: JudgedWrite, target: WriteTarget): Judgement[] {
  const { changes, agent, facts } = write;
  const { path, objections } = target;
  if (objections.length > 0) return objections.map((objection) => ({ rule: 'path', path, objection }));
  const at = shownAt(target.abs, path, facts);
  const life = { ...agent, ...write.event.home };
  const baseline = judgeBaseline(at, life, { ...target, state: changes.path(path) }, facts);
  return [
    { rule: 'path', path, objection: null },
    { rule: 'baseline', path, objection: baseline },
    { rule: 'write_in_flight', path, objection: judgeIntent(write, at) },
    { rule: 'lease', path, objection: judgeLease(write, at) },
  ];
}

/** Every rule's answer about every target, for `guard explain`. Changes nothing. */
export function judgements(view: View, event: WriteBeginEvent, given: Facts): Step<readonly Judgement[]> {
  const write = judgedFrom(view, event, given);
  const doomed = doom(write);
  const words = event.targets.flatMap((target) => [
    ...judge(write, target),
    ...doomed
      .filter(({ path }) => path === target.abs)
      .map((objection) => ({ rule: 'deadlock' as const, path: target.path, objection })),
  ]);
  return { records: [], result: words };
}

/** Checked only for an agent that was chosen to give way. */
function doom({ changes, agent: { id }, event, facts }: JudgedWrite): ReturnType<typeof deadlockObjections> {
  return changes.wait(id).verdicts === undefined ? [] : deadlockObjections(changes, id, event.targets, facts);
}

function judgeIntent({ changes, agent, facts }: JudgedWrite, at: ShownFile): Objection | null {
  const { intent } = changes.path(at.path);
  if (!isIntentLive(changes, intent, facts) || intent.agent === agent.id) return null;
  return writeInFlight(at, { holder: intent.agent, since: rfc3339(intent.since_wall_ms) });
}

function judgeLease(write: JudgedWrite, at: ShownFile): Objection | null {
  const { changes, agent, facts } = write;
  if (facts.policy.enforcement === 'off') return null;
  if (coveringHold(changes, at.path, agent.id, facts) !== undefined) return null;
  return objectionByOthers(write, at);
}

function approve(write: JudgedWrite): void {
  const { changes, agent, event, facts, next } = write;
  if (facts.policy.enforcement === 'auto') takeLeases(write, event.targets);
  for (const target of event.targets) {
    changes.setPath(target.path, {
      ...changes.path(target.path),
      intent: {
        agent: agent.id,
        op: event.op,
        digest: approvedDigest(target),
        ...{ form: target.form, since_wall_ms: facts.now.wall_ms },
        ...(facts.machine_boot && { ttl_ms: facts.policy.ttl_ms }),
      },
      touched: next,
    });
  }
  const paths = event.targets.map((target) => target.path);
  const begun = agent.op?.id === event.op ? agent.op.paths : [];
  const so_far = changes.agent(agent.id) ?? agent;
  const { refused } = so_far;
  changes.setAgent({
    // The client runs its own writers one at a time, so anything that was open before has ended.
    ...(event.tool.startsWith('mcp__') ? so_far : withoutCalls(so_far, null)),
    ...(refused?.paths.length ? { refused: madeGood(refused, paths) } : {}),
    ...activeNow(facts),
    op: {
      id: event.op,
      tool: event.tool,
      // Files of one call may be checked separately: main checkout and linked worktree are two places in one ledger.
      paths: [...begun, ...paths],
      since_wall_ms: facts.now.wall_ms,
    },
  });
  record(write, 'intent', { paths, tool: event.tool, op: event.op });
}

const approvedDigest = (target: WriteTarget): Digest | null =>
  target.disk.state === 'missing' ? null : target.disk.digest;
