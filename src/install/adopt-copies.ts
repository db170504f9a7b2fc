/**
 * `guard init` on a copied or restored state directory, and on the user's own: the ledgers in them are adopted for this
 * place (decision 093). The number at which each place continued is kept in the user's state directory, which restoring a
 * backup of the repository does not roll back.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, ifAllowed } from '../core/attempt.ts';
import { asObject, parsedObject } from '../core/json-object.ts';
import type { Lsn } from '../core/ledger.ts';
import { voided } from '../core/voided.ts';
import { readNow } from '../repo/clock.ts';
import { readInstall } from '../repo/install.ts';
import { ensureStateDir } from '../repo/state-dir.ts';
import { type Environment, userStateDir } from '../repo/user-dirs.ts';
import { openStore } from '../store/open.ts';
import { transact } from '../store/transact.ts';
import { adoptCopy, type AdoptOptions, alone, isCopy, type Leaps } from '../store/upkeep.ts';
import { writeStateJson } from './state-json.ts';

const LEAPS_FILE = 'leaps.json';
const LOCK_MS = 10_000;

/** By state directory. An unreadable file counts as empty, because the leap includes the clock, too. */
function readLeaps(dir: string): Readonly<Record<string, Lsn>> {
  const { leaps } = parsedObject(attempt(() => readFileSync(join(dir, LEAPS_FILE), 'utf8'), null));
  const known = Object.entries(asObject(leaps));
  return Object.fromEntries(known.filter((one): one is [string, Lsn] => Number.isSafeInteger(one[1])));
}

/** @param beside the user's own state directory */
function leapsOf(beside: string, state_dir: string): Leaps {
  return {
    highest: () => readLeaps(beside)[state_dir] ?? 0,
    reserve: (lsn) => {
      ensureStateDir(beside);
      const keep = (): void =>
        writeStateJson(beside, LEAPS_FILE, { v: 1, leaps: { ...readLeaps(beside), [state_dir]: lsn } });
      // While the user's own ledger is adopted, its lock is already held.
      if (beside === state_dir) keep();
      else alone(beside, keep);
    },
  };
}

const optionsFor = (state_dir: string, env: Environment): AdoptOptions => ({
  now: readNow,
  voids: voided,
  leaps: leapsOf(userStateDir(env), state_dir),
});

/**
 * The repository's state directory and the user's own, if their ledger is a copy that no one has adopted. Costs an opening
 * of each. One that cannot be read is left out: the check of the directory reports that.
 */
export function copiesAmong(state_dir: string, env: Environment): readonly string[] {
  // While the clone shares another ledger, its own one is closed (cli/fleet/own-ledger.ts).
  const isClosed = ifAllowed(() => readInstall(state_dir).shared_as !== undefined, false);
  const isOne = (dir: string): boolean =>
    existsSync(dir) && !(isClosed && dir === state_dir) && isCopy(dir, optionsFor(dir, env));
  return [state_dir, userStateDir(env)].filter((dir) => ifAllowed(() => isOne(dir), false));
}

/**
 * Adopts the ledgers in these directories, only for a person: all locks in them end. Returns one line of text for each.
 * @throws GuardError GUARD_ERR_CORRUPT for one that is also damaged
 */
export function adoptCopies(dirs: readonly string[], env: Environment): readonly string[] {
  return dirs.flatMap((dir) => {
    const adopted = adoptCopy(dir, optionsFor(dir, env));
    return adopted === undefined ? [] : [told(dir, adopted.voided, adopted.first)];
  });
}

/** Continues this place's ledger, in which no one holds anything, after tokens up to `lsn` were granted elsewhere. */
export function takeUpBehind(lsn: Lsn, state_dir: string, env: Environment): void {
  const { leaps, ...options } = optionsFor(state_dir, env);
  const highest = (): Lsn => Math.max(lsn, leaps.highest());
  const goOn = () =>
    adoptCopy(state_dir, { ...options, is_own: true, durability: 'fsync', leaps: { ...leaps, highest } });
  if (goOn() !== undefined) return;
  // It has no record yet to continue after.
  const store = openStore({ dir: state_dir, now: readNow, durability: 'fsync', lock_deadline_ms: LOCK_MS });
  const record = { type: 'machine.leave', agent: 'guard', ts_ms: readNow().wall_ms, s: {} };
  transact(store, () => ({ records: [record], result: null }));
  store.close();
  goOn();
}

const told = (dir: string, count: number, first: Lsn): string =>
  `The ledger in ${dir} was a copy, or was restored from a backup. It belongs to this place now: history and messages were kept, ` +
  `all locks in it have ended (${count} states), and tokens continue at ${first}.`;
