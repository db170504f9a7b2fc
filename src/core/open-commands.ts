/** The command lines of agents that are running, and what each of them blocks: for `guard status`. */
import { isCommandLive } from './alive.ts';
import type { View } from './ledger.ts';
import { aliveIn } from './living.ts';
import { changesOver } from './states.ts';
import { rfc3339 } from './rfc3339.ts';
import type { AgentId, Facts, RepoPath } from './types.ts';

export interface CommandReport {
  readonly agent: AgentId;
  /** tool_use_id; a lease that the command took for itself has it as `command`. */
  readonly op: string;
  /** Files it announced to write: no other agent may write them until it ends. */
  readonly paths: readonly RepoPath[];
  readonly since: string;
  readonly in_background: boolean;
  /** Roots of other repositories in whose ledgers it is open too. Absent: none. */
  readonly elsewhere?: readonly string[];
}

/** Oldest first. Lines that only read are not recorded. @param view a view of the whole ledger */
export function openCommands(view: View, facts: Facts): readonly CommandReport[] {
  const changes = changesOver(view);
  return aliveIn(view, changes, facts)
    .flatMap((id) => changes.agent(id) ?? [])
    .flatMap((agent) =>
      (agent.commands ?? [])
        .filter(({ id }) => isCommandLive(agent, id, facts))
        .map((one) => ({ agent: agent.id, ...one })),
    )
    .sort((a, b) => a.since_wall_ms - b.since_wall_ms)
    .map(({ agent, id, paths, since_wall_ms, task, elsewhere }) => ({
      agent,
      op: id,
      paths,
      since: rfc3339(since_wall_ms),
      in_background: task !== undefined,
      ...(elsewhere === undefined ? {} : { elsewhere }),
    }));
}
