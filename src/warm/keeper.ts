/**
 * A thread of the server that gives this machine's signs of life on a ledger that machines share (docs/decisions/209), whether its agents
 * do anything or not, tells the engine what was left for it, and keeps what is known of this machine's leases new. Nothing but what
 * would end otherwise depends on it: whatever it does, hooks and commands do, too.
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
import { isLeft } from '../store/late/late-file.ts';
import { consult } from '../store/transact.ts';
import { markKeeper } from '../workspace/start-keeper.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';

export interface KeeperPlace {
  readonly state_dir: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What it looks at the disk for. */
const LOOK_MS = 1_000;
/** Between two questions about what is known: how long a lease that was taken by force may be believed while the engine is there. */
const ASK_MS = 10_000;
const BEATS_A_TTL = 3;

/** Says how many agents live on this machine, whenever it has found out. */
export async function keepMachine(place: KeeperPlace, port: MessagePort): Promise<never> {
  const engines = heldEngines();
  let [ask_ms, asked_ms, beaten_ms] = [ASK_MS, -Infinity, -Infinity];
  const keep = (): void => {
    const now_ms = monotonic();
    if (now_ms - asked_ms < ask_ms && !isLeft(place.state_dir)) return;
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

/** Looks at all that is to be known of them. */
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
