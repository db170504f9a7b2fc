/** Sweeps the store of contents, sparing what agents at work may still need. */
import { AGENTS, PATHS } from '../../core/keys.ts';
import { asAgentState, asPathState } from '../../core/states.ts';
import type { AgentState, Digest, Now } from '../../core/types.ts';
import type { UndoLimits } from '../../core/undo-limits.ts';
import { seenBy } from '../../workspace/seen.ts';
import { contentsDir } from '../../contents/entry.ts';
import { sweepContents, type SweepReport } from '../../contents/sweep.ts';
import { noteSweep } from '../../repo/sweep-due.ts';
import type { Store } from '../../store/store.ts';
import { consult } from '../../store/transact.ts';

export function tidyContents(
  store: Store,
  state_dir: string,
  limits: UndoLimits,
  { wall_ms }: Now,
): SweepReport {
  let found: ReadonlySet<Digest> | undefined;
  const report = sweepContents(state_dir, {
    limits,
    wall_ms,
    // Reads the states of all paths, a tenth of what a compaction takes.
    get spared() {
      return (found ??= inUse(store, state_dir));
    },
  });
  noteSweep(contentsDir(state_dir), wall_ms);
  return report;
}

/** What holders wrote last, and what agents saw in their current turn. */
function inUse(store: Store, state_dir: string): ReadonlySet<Digest> {
  const seen = consult(store, (view) => ({ paths: view.range(PATHS), agents: view.range(AGENTS) }));
  const held = seen.paths
    .map(([, state]) => asPathState(state))
    .filter(({ holds }) => holds.length > 0)
    .flatMap(({ last_write }) => last_write?.digest ?? []);
  const agents = seen.agents.flatMap(([, state]) => asAgentState(state) ?? []);
  return new Set([...held, ...agents.filter(({ live }) => live).flatMap((one) => seenNow(state_dir, one))]);
}

const seenNow = (state_dir: string, { id, turn }: AgentState): readonly Digest[] =>
  [...seenBy(state_dir, id)].flatMap(({ baseline }) =>
    baseline.turn === turn && baseline.digest !== null ? [baseline.digest] : [],
  );
