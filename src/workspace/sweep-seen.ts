/** Forgets what agents have seen that will not return. Never runs in a hook. */
import fs from 'node:fs';
import { AGENTS } from '../core/keys.ts';
import { asAgentState } from '../core/states.ts';
import type { AgentState, Now } from '../core/types.ts';
import { namesIn } from '../repo/names-in.ts';
import { noteSweep } from '../repo/sweep-due.ts';
import type { Store } from '../store/store.ts';
import { consult } from '../store/transact.ts';
import { fileName } from './baseline-file.ts';
import { seenDir } from './seen.ts';

const KEPT_MS = 30 * 24 * 3_600_000;
/** A subagent that has ended may be sent back to work. After this time, it has to read again what changed since it began. */
const ENDED_MS = 3_600_000;

/** A log, a log being shortened, a directory of guard 0.1, or a directory of texts. */
const KINDS: readonly { readonly dir: (state_dir: string) => string; readonly is: RegExp }[] = [
  { dir: seenDir, is: /^(.+)\.log~?$/ },
  { dir: (state_dir) => `${state_dir}/baselines`, is: /^(.+)$/ },
];

/** Removes those of subagents that have ended, and all after a month without activity. Returns how many were removed. */
export function sweepSeen(store: Store, state_dir: string, { wall_ms }: Pick<Now, 'wall_ms'>): number {
  const over = new Set(subagentsOver(store).map(({ id }) => fileName(id)));
  let removed = 0;
  for (const { dir, is } of KINDS)
    for (const name of namesIn(dir(state_dir))) {
      const agent = is.exec(name)?.[1];
      const file = `${dir(state_dir)}/${name}`;
      const at_ms = fs.lstatSync(file, { throwIfNoEntry: false })?.mtimeMs;
      if (agent === undefined || at_ms === undefined) continue;
      const isShort = over.has(agent) || name.endsWith('~');
      if (wall_ms - at_ms <= (isShort ? ENDED_MS : KEPT_MS)) continue;
      fs.rmSync(file, { recursive: true, force: true });
      removed++;
    }
  noteSweep(seenDir(state_dir), wall_ms);
  return removed;
}

/** Subagents that left, or whose session did. */
function subagentsOver(store: Store): readonly AgentState[] {
  const { found, now } = consult(store, (view) => ({ found: view.range(AGENTS), now: view.now }));
  const agents = found.flatMap(([, state]) => asAgentState(state) ?? []);
  const live = new Set(agents.filter((one) => one.live).map(({ id }) => id));
  return agents.filter(
    ({ id, kind, parent, active_wall_ms }) =>
      kind === 'subagent' &&
      !(live.has(id) && (parent === null || live.has(parent))) &&
      now.wall_ms - active_wall_ms > ENDED_MS,
  );
}
