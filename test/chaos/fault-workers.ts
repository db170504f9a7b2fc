/** The workers during faults: with the checker's model, and with guard's own rules on machines with separate clocks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isGuardError } from '../../src/core/error.ts';
import { openPostgres, type PostgresConfig } from '../../src/store/postgres/open.ts';
import { transact } from '../../src/store/transact.ts';
import { machineOn } from '../store/postgres/machines.ts';
import { clock } from '../store/scratch.ts';
import { step } from './model.ts';
import { seeded } from './random.ts';
import { noting, type Seen } from './seen.ts';
import { randomAct } from './worker.ts';

export interface Heard {
  readonly told: SeenAt[];
  readonly grants: Grant[];
  /** Requests without an answer, by error code. */
  readonly unanswered: Map<string, number>;
  readonly failures: string[];
  slept: number;
}

export interface SeenAt extends Seen {
  readonly at_ms: number;
}

/** What an agent may rely on: from its grant until it announces its end or the time is up. */
export interface Grant {
  readonly agent: string;
  readonly paths: readonly string[];
  readonly token: number;
  readonly from_ms: number;
  to_ms: number;
}

export interface Toil {
  readonly config: PostgresConfig;
  readonly nth: number;
  readonly heard: Heard;
  readonly isOver: () => boolean;
}

const PATIENCE = /^GUARD_ERR_(?:ENGINE_AWAY|BUSY)$/;

/** Runs an act; if no answer comes, it may or may not have happened. */
async function tried<T>({ unanswered, failures }: Heard, act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (isGuardError(error) && PATIENCE.test(error.code))
      unanswered.set(error.code, 1 + (unanswered.get(error.code) ?? 0));
    else failures.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return undefined;
  }
}

export async function actByModel({ config, nth, heard, isOver }: Toil): Promise<void> {
  const random = seeded(7919 * (nth + 1));
  const now = clock();
  const { store, versions } = noting(await openPostgres(config));
  while (!isOver()) {
    const act = randomAct(random, `m${nth}`, now().mono_ms);
    const answer = await tried(heard, () => transact(store, step(act)));
    if (answer !== undefined)
      heard.told.push({ act, answer, versions: versions(act.keys), at_ms: performance.now() });
    await sleep(random(15));
  }
  await store.close();
}

const FILES = 6;
export const TTL_MS = 3_000;
/** The fraction of a ttl with which a machine sends its next sign of life (core/rules/presence.ts). */
const RELIED_ON = 0.3;
const APART_MS = 11 * 60_000;

export async function actByRules({ config, nth, heard, isOver }: Toil): Promise<void> {
  const random = seeded(104_729 * (nth + 1));
  const store = await openPostgres(config);
  const machine = machineOn(store, { id: `machine-${nth}`, ttl_ms: TTL_MS, ahead_ms: (nth % 3) * APART_MS });
  const name = `r${nth}`;
  const who = machine.who(name);
  while (!isOver()) {
    const paths = [...new Set([0, 1].map(() => `f${random(FILES)}`))];
    const asked_ms = performance.now();
    const token = await tried(heard, () => machine.lock(who, ...paths));
    if (token === undefined || token === null) continue;
    const from_ms = performance.now();
    // An answer that came too late grants nothing: another agent may have held the files since.
    const to_ms = Math.max(from_ms, asked_ms + RELIED_ON * TTL_MS);
    const grant: Grant = { agent: name, paths, token, from_ms, to_ms };
    heard.grants.push(grant);
    if (random(50) === 0) {
      heard.slept++;
      machine.slept(1.5 * TTL_MS);
      await sleep(1.5 * TTL_MS);
    } else await sleep(random(15));
    grant.to_ms = Math.min(grant.to_ms, performance.now());
    await tried(heard, () => machine.release(who, ...paths));
  }
  await store.close();
}

/** Files that two agents could rely on at the same time, or that were granted with a token that is not higher. */
export function doubled(grants: readonly Grant[]): string[] {
  return [...new Set(grants.flatMap(({ paths }) => paths))].flatMap((path) => {
    const held = grants
      .filter(({ paths, from_ms, to_ms }) => paths.includes(path) && to_ms > from_ms)
      .sort((a, b) => a.from_ms - b.from_ms);
    return held.flatMap((grant, at) => {
      const before = held[at - 1];
      if (before === undefined) return [];
      const isOpen = before.agent !== grant.agent && before.to_ms > grant.from_ms;
      return isOpen || grant.token <= before.token
        ? [`${path}: ${before.agent} ${before.token}, ${grant.agent} ${grant.token}`]
        : [];
    });
  });
}
