/**
 * A thread of the server that sends this machine's signs of life to a shared ledger (docs/decisions/209), whether or
 * not its agents do anything. It also sends late events to the engine and keeps this machine's lease cache current.
 * Only what would otherwise expire depends on it: everything it does, hooks and commands do too.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { attempt } from '../core/attempt.ts';
import { agentsOn, leasesBelow, pathKey } from '../core/keys.ts';
import type { View } from '../core/ledger.ts';
import { changesOver } from '../core/states.ts';
import { monotonic, openClock } from '../repo/clock.ts';
import { readInstall } from '../repo/install.ts';
import { locateRepo } from '../repo/locate.ts';
import { isDead } from '../repo/process.ts';
import { type HeldEngines, heldEngines } from '../store/held-engines.ts';
import { hasLate } from '../store/late/late-file.ts';
import { consult } from '../store/transact.ts';
import { markKeeper } from '../workspace/start-keeper.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';

export interface KeeperPlace {
  readonly state_dir: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Interval for checking the disk for late events. */
const LOOK_MS = 1_000;
/** Interval for refreshing the cache: how long a lease revoked by force may be believed while the engine is reachable. */
const ASK_MS = 10_000;
const BEATS_A_TTL = 3;

/** Reports the number of agents that live on this machine each time it has been determined. */
export async function keepMachine(place: KeeperPlace, port: MessagePort): Promise<never> {
  const engines = heldEngines();
  let [ask_ms, asked_ms, beaten_ms] = [ASK_MS, -Infinity, -Infinity];
  const keep = (): void => {
    const now_ms = monotonic();
    if (now_ms - asked_ms < ask_ms && !hasLate(place.state_dir)) return;
    if (readInstall(place.state_dir).shared_as === undefined) return;
    asked_ms = now_ms;
    markKeeper(place.state_dir);
    const space = open(place, engines);
    try {
      const living = livingHere(space);
      const beat_ms = space.config.policy.ttl_ms / BEATS_A_TTL;
      ask_ms = Math.min(ASK_MS, beat_ms);
      const is_due = now_ms - beaten_ms + ask_ms > beat_ms;
      if (living > 0 && is_due) {
        space.run({ type: 'machine.beat' });
        beaten_ms = now_ms;
      }
      port.postMessage(living);
    } finally {
      space.close();
    }
  };
  for (;;) {
    attempt(keep, undefined);
    await pause(LOOK_MS);
  }
}

function open({ state_dir, root, env }: KeeperPlace, engines: HeldEngines): Workspace {
  const repo = locateRepo(root, env);
  return openWorkspace(repo, { state_dir, cwd: root, env, now: openClock(), isDead, engines: engines.open });
}

/** Reads everything there is to know about them, which refreshes the cache. */
const livingHere = ({ store, facts }: Workspace): number =>
  consult(store, (view) => livingOn(view, facts().machine));

function livingOn(view: View, machine: string): number {
  const changes = changesOver(view);
  const below = agentsOn(machine);
  const agents = view
    .range(below)
    .flatMap(([key]) => changes.agent(key.slice(below.length)) ?? [])
    .filter(({ live }) => live);
  for (const { id, epoch } of agents) {
    const held = leasesBelow(id, epoch);
    for (const [key] of view.range(held)) view.get(pathKey(key.slice(held.length)));
  }
  return agents.length;
}
