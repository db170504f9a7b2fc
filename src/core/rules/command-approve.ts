/** A command line that may run: what it writes is in flight, and what nobody holds of that is its own until it ends. */
import { isCommandLive } from '../alive.ts';
import type { AgentState, Facts, OpenCommand, RepoPath } from '../types.ts';
import type { CommandBeginEvent } from './command-event.ts';
import { newHold, revoke } from './grant.ts';
import { setHolds } from './holds.ts';
import { claim, isReserved, liveHolds } from './lease.ts';
import type { Granting } from './transaction.ts';

export function approve(approved: Granting & { readonly event: CommandBeginEvent }): void {
  const { draft, agent, event, facts, next } = approved;
  const written = event.targets.filter(({ is_written }) => is_written);
  if (written.length === 0 && event.elsewhere.length === 0) return;
  takeLeases(approved, event);
  for (const { path, digest } of written) {
    draft.setPath(path, {
      ...draft.path(path),
      intent: { agent: agent.id, op: event.op, digest, form: null, since_wall_ms: facts.now.wall_ms },
      touched: next,
    });
  }
  const so_far = draft.agent(agent.id) ?? agent;
  const paths = written.map(({ path }) => path);
  const { refused } = so_far;
  draft.setAgent({
    ...so_far,
    ...(refused?.paths.length
      ? { refused: { ...refused, paths: refused.paths.filter((path) => !paths.includes(path)) } }
      : {}),
    active_mono_ms: facts.now.mono_ms,
    active_wall_ms: facts.now.wall_ms,
    commands: [...stillOpen(so_far, event.op, facts), opened(event, paths, facts)],
  });
  const { wall_ms: ts_ms } = facts.now;
  draft.record({ type: 'intent', agent: agent.id, ts_ms, paths, tool: event.tool, op: event.op });
}

/** More than a client runs side by side. */
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

/** What the agent holds or has reserved stays as it is; a shared lease of its own is there again after the command. */
function takeLeases(granting: Granting, event: CommandBeginEvent): void {
  const { draft, agent, facts, next } = granting;
  if (facts.policy.enforcement === 'off') return;
  const taken: RepoPath[] = [];
  for (const { path, known, is_written } of event.targets) {
    const claimed = claim(granting, path, 'exclusive');
    if (!is_written || claimed.verdict !== 'free' || isReserved(claimed)) continue;
    if (known === null && claimed.yielded.length === 0) continue;
    revoke(granting, path, claimed.yielded);
    const state = draft.path(path);
    const mine = liveHolds(draft, path, facts).filter((hold) => hold.agent === agent.id);
    const hold = {
      ...newHold(granting, 'exclusive', facts.policy.ttl_ms),
      command: event.op,
    };
    setHolds(draft, path, { ...state, holds: [hold, ...claimed.keep, ...mine] });
    taken.push(path);
  }
  if (taken.length === 0) return;
  const { wall_ms: ts_ms } = facts.now;
  draft.record({
    type: 'hold',
    agent: agent.id,
    ts_ms,
    paths: taken,
    mode: 'exclusive',
    token: next,
    auto: true,
    op: event.op,
  });
}
