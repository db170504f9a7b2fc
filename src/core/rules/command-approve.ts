/** Approves a command line: its writes are in flight, and what is free of its targets is leased to it until it ends. */
import { isCommandLive } from '../alive.ts';
import { leaseIn } from '../lease-scope.ts';
import type { AgentState, Facts, Intent, OpenCommand, RepoPath } from '../types.ts';
import type { CommandBeginEvent } from './command-event.ts';
import { activeNow } from './agent.ts';
import { madeGood } from './write-reject.ts';
import { newHold, revoke } from './grant.ts';
import { setHolds } from './holds.ts';
import { claim, isReserved, liveHolds } from './lease.ts';
import { type Granting, record } from './transaction.ts';

export function approve(tx: Granting & { readonly event: CommandBeginEvent }): void {
  const { changes, agent, event, facts, next } = tx;
  const written = event.targets.filter(({ is_written }) => is_written);
  if (written.length === 0 && event.elsewhere.length === 0) return;
  takeLeases(tx, event);
  for (const { path, digest } of written) {
    changes.setPath(path, {
      ...changes.path(path),
      intent: { agent: agent.id, op: event.op, digest, form: null, ...begunNow(facts) },
      touched: next,
    });
  }
  const so_far = changes.agent(agent.id) ?? agent;
  const paths = written.map(({ path }) => path);
  const { refused } = so_far;
  changes.setAgent({
    ...so_far,
    ...(refused?.paths.length ? { refused: madeGood(refused, paths) } : {}),
    ...activeNow(facts),
    commands: [...stillOpen(so_far, event.op, facts), opened(event, paths, facts)],
  });
  record(tx, 'intent', { paths, tool: event.tool, op: event.op });
}

const begunNow = ({ now, policy, machine_boot }: Facts): Pick<Intent, 'since_wall_ms' | 'ttl_ms'> => ({
  since_wall_ms: now.wall_ms,
  ...(machine_boot && { ttl_ms: policy.ttl_ms }),
});

/** More than a client runs in parallel. */
const COMMANDS_MAX = 32;

const stillOpen = (agent: AgentState, op: string, facts: Facts): readonly OpenCommand[] =>
  (agent.commands ?? [])
    .filter(({ id }) => id !== op && isCommandLive(agent, id, facts))
    .slice(1 - COMMANDS_MAX);

const opened = (
  { op, until_mono_ms, elsewhere }: CommandBeginEvent,
  paths: readonly RepoPath[],
  { now }: Facts,
): OpenCommand => ({
  id: op,
  paths,
  since_mono_ms: now.mono_ms,
  since_wall_ms: now.wall_ms,
  until_mono_ms,
  ...(elsewhere.length > 0 ? { elsewhere } : {}),
});

/** What the agent already holds or reserved is not changed; a shared lease of its own is back after the command. */
function takeLeases(tx: Granting, event: CommandBeginEvent): void {
  const { changes, agent, facts, next } = tx;
  if (facts.policy.enforcement === 'off') return;
  const taken: RepoPath[] = [];
  for (const { path: own, known, is_written } of event.targets) {
    const path = leaseIn(changes, own);
    const claimed = claim(tx, path, 'exclusive');
    if (!is_written || claimed.verdict !== 'free' || isReserved(claimed)) continue;
    if (known === null && claimed.yielded.length === 0) continue;
    revoke(tx, path, claimed.yielded);
    const state = changes.path(path);
    const mine = liveHolds(changes, path, facts).filter((hold) => hold.agent === agent.id);
    const hold = { ...newHold(tx, own, 'exclusive', facts.policy.ttl_ms), command: event.op };
    setHolds(changes, path, { ...state, holds: [hold, ...claimed.keep, ...mine] });
    taken.push(path);
  }
  if (taken.length === 0) return;
  record(tx, 'hold', { paths: taken, mode: 'exclusive', token: next, auto: true, op: event.op });
}
