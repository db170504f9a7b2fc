/** The repository's present state for the page: what `guard status` reports, and where its ledger ends. */
import { STATUS } from '../../operations/status.ts';
import type { RunContext } from '../../operations/operation.ts';
import type { Past } from '../../history/past.ts';
import type { Workspace } from '../../workspace/workspace.ts';

export async function nowOf(past: Past, space: Workspace, around: RunContext): Promise<object> {
  const history = await past.current();
  const status = await STATUS.run({}, space, around);
  // As a time instead of an age: otherwise every look would differ from the one before.
  const wall_ms = space.facts().now.wall_ms;
  const agents = status.agents.map(({ last_active_seconds, ...agent }) => ({
    ...agent,
    active_ms: rounded(wall_ms - last_active_seconds * 1000),
  }));
  const { count, last, agents: everybody } = history;
  return { count, last, everybody, status: { ...status, agents } };
}

/** Rounded, because the age is in whole seconds and may be read at any moment within one. */
const rounded = (ms: number): number => Math.round(ms / 2_000) * 2_000;
