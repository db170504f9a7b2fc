/** Faults, one after another, on the way to a server, in the server, and between it and its standby. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lsn } from '../../src/core/ledger.ts';
import { asOwner, type Cluster } from '../store/postgres/cluster.ts';
import type { Pair } from './pair.ts';
import type { Random } from './random.ts';
import type { Mishap, Wire } from './wire.ts';

export interface Trouble {
  readonly pair: Pair;
  readonly wires: readonly Wire[];
  readonly role: string;
  readonly slow_ms: number;
  readonly random: Random;
  readonly failovers: Failover[];
}

/** A standby that took over. Commits that waited for it when the primary died may be lost: nobody had an answer. */
export interface Failover {
  readonly at_ms: number;
  /** The records that it had. */
  readonly kept: ReadonlySet<Lsn>;
}

const MISHAPS: readonly Mishap[] = ['reset', 'half_open', 'slow', 'lost_answer', 'lost_question'];

const one = <T>(all: readonly T[], random: Random): T => all[random(all.length)] as T;

const END = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1`;
const BUSY_FIRST = `${END} AND pid IN (SELECT pid FROM pg_stat_activity WHERE usename = $1
  ORDER BY state = 'active' AND query LIKE '%commit_2%' DESC, random() LIMIT 1)`;

const endOne = ({ pair, role }: Trouble): Promise<unknown> =>
  asOwner(pair.primary(), (owner) => owner.query(BUSY_FIRST, [role]));

/** Committed only on the primary, without an answer: a retry must not be answered before the standby has it. */
async function unknown(trouble: Trouble): Promise<() => void> {
  const { pair, role } = trouble;
  const thaw = await pair.freeze();
  await sleep(200);
  await asOwner(pair.primary(), (owner) => owner.query(`${END} AND wait_event = 'SyncRep'`, [role]));
  await sleep(400);
  return thaw;
}

async function recordsOf(primary: Cluster): Promise<ReadonlySet<Lsn>> {
  const { rows } = await asOwner(primary, (owner) =>
    owner.query<{ lsn: string }>('SELECT lsn FROM guard.log'),
  );
  return new Set(rows.map(({ lsn }) => Number(lsn)));
}

const FAULTS: Readonly<Record<string, (trouble: Trouble) => Promise<unknown>>> = {
  ...Object.fromEntries(
    MISHAPS.map((mishap) => [
      mishap,
      async ({ wires, random, slow_ms }: Trouble) => {
        while (!one(wires, random).befall(mishap, slow_ms)) await sleep(20);
      },
    ]),
  ),
  backend: endOne,
  async all_slow({ wires, slow_ms }) {
    for (const wire of wires) wire.befall('slow', slow_ms, true);
    await sleep(slow_ms);
  },
  async unknown_commit(trouble) {
    const thaw = await unknown(trouble);
    thaw();
  },
  async failover(trouble) {
    const thaw = await unknown(trouble);
    const over = trouble.pair.failOver(async (primary) => {
      const kept = await recordsOf(primary);
      trouble.failovers.push({ at_ms: performance.now(), kept });
      for (const wire of trouble.wires) wire.aim(primary.port);
    });
    await sleep(100);
    thaw();
    await over;
  },
};

/** Faults that take seconds are rare; each occurs at least once. */
const RARE = ['all_slow', 'unknown_commit', 'failover'];
const USUAL = Object.keys(FAULTS).filter((name) => !RARE.includes(name));
const PAUSE_MS = 80;

/** Returns how often each kind of fault occurred. */
export async function trouble(given: Trouble, count: number): Promise<Readonly<Record<string, number>>> {
  const done: Record<string, number> = {};
  const every = Math.max(Math.floor(count / 24), 5);
  for (let nth = 1; nth <= count; nth++) {
    const at = nth % every === 0 ? Math.floor(nth / every) % RARE.length : -1;
    const name = RARE[at] ?? USUAL[nth % USUAL.length] ?? '';
    await FAULTS[name]?.(given);
    done[name] = 1 + (done[name] ?? 0);
    await sleep(PAUSE_MS / 2 + given.random(PAUSE_MS));
  }
  return done;
}
