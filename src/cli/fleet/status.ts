/** The state of the shared ledger, as seen from here. */
import { agentsOn } from '../../core/keys.ts';
import { asMachine, isBeating } from '../../core/machines.ts';
import { holderName } from '../../repo/clones.ts';
import { readInstall } from '../../repo/install.ts';
import { monotonic } from '../../repo/clock.ts';
import { consult } from '../../store/transact.ts';
import { notShared } from './move.ts';
import type { Workspace } from '../../workspace/workspace.ts';

interface MachineReport {
  readonly machine: string;
  readonly here: boolean;
  readonly up: boolean;
  readonly agents: number;
}

export interface FleetStatus {
  readonly repository: string;
  /** The clone's name in the ledger. `null` if an older guard moved it here, and agents have been at work ever since. */
  readonly clone: string | null;
  /** Median of five queries. */
  readonly round_trip_ms: number;
  /** The engine's clock minus this machine's. */
  readonly clock_difference_ms: number;
  readonly tip: number;
  readonly machines: readonly MachineReport[];
}

const QUESTIONS = 5;
const BELOW = 'machine:';

/** @throws GuardError GUARD_ERR_FLEET */
export function fleetStatus({ repo, store, facts }: Workspace, wallMs: () => number): FleetStatus {
  const { shared_as: repository } = readInstall(repo.state_dir);
  if (repository === undefined) throw notShared('Run "guard fleet join", or "guard fleet init".');
  const { machine } = facts();
  const times = Array.from({ length: QUESTIONS }, () => {
    const begun = monotonic();
    const { now, tip } = store.look([]);
    return { took_ms: monotonic() - begun, ahead_ms: now.wall_ms - wallMs(), tip };
  }).sort((a, b) => a.took_ms - b.took_ms);
  const middle = times[Math.floor(QUESTIONS / 2)];
  const machines = consult(store, (view) =>
    view.range(BELOW).map(([key, state]): MachineReport => {
      const id = key.slice(BELOW.length);
      const known = asMachine(state);
      const up = known !== undefined && isBeating(known, view.now);
      return { machine: id, here: id === machine, up, agents: view.range(agentsOn(id)).length };
    }),
  );
  return {
    repository,
    clone: holderName(repo) || null,
    round_trip_ms: Math.round((middle?.took_ms ?? 0) * 10) / 10,
    clock_difference_ms: Math.round(middle?.ahead_ms ?? 0),
    tip: middle?.tip ?? 0,
    machines,
  };
}
