/**
 * `guard init` on a copied or restored state directory, and on the user's own: the ledgers in them become those of this
 * place (decision 093). Where each place's numbers went on is kept in the user's state directory, which a backup of
 * the repository does not bring back.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lsn } from '../core/ledger.ts';
import { voided } from '../core/voided.ts';
import { readNow } from '../repo/clock.ts';
import { ensureStateDir } from '../repo/state-dir.ts';
import { userStateDir } from '../repo/user-dirs.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { adoptCopy, isCopy } from '../store/embedded/adopt.ts';
import type { AdoptOptions, Leaps } from '../store/embedded/adopt.ts';
import { alone } from '../store/embedded/alone.ts';
import { writeStateJson } from './state-json.ts';

const LEAPS_FILE = 'leaps.json';

/** By state directory. One that cannot be read counts as empty: the clock is in the leap, too. */
function readLeaps(dir: string): Readonly<Record<string, Lsn>> {
  try {
    const { leaps } = JSON.parse(readFileSync(join(dir, LEAPS_FILE), 'utf8')) as { leaps?: unknown };
    const known = typeof leaps === 'object' && leaps !== null ? Object.entries(leaps) : [];
    return Object.fromEntries(known.filter((one): one is [string, Lsn] => Number.isSafeInteger(one[1])));
  } catch {
    return {};
  }
}

/** @param beside the user's own state directory */
function leapsOf(beside: string, state_dir: string): Leaps {
  return {
    highest: () => readLeaps(beside)[state_dir] ?? 0,
    reserve: (lsn) => {
      ensureStateDir(beside);
      const keep = (): void =>
        writeStateJson(beside, LEAPS_FILE, { v: 1, leaps: { ...readLeaps(beside), [state_dir]: lsn } });
      // Its own ledger's lock is held already while that one is adopted.
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

const placesOf = (state_dir: string, env: Environment): readonly string[] =>
  [state_dir, userStateDir(env)].filter((dir) => existsSync(dir));

/** The state directories that `adoptCopies` would change. Costs an opening of each ledger. */
export const copiesAmong = (state_dir: string, env: Environment): readonly string[] =>
  placesOf(state_dir, env).filter((dir) => isCopy(dir, optionsFor(dir, env)));

/** Adopts what is a copy. Returns what to tell the person, a line each. For persons: ask `copiesAmong` first. */
export function adoptCopies(state_dir: string, env: Environment): readonly string[] {
  return placesOf(state_dir, env).flatMap((dir) => {
    const adopted = adoptCopy(dir, optionsFor(dir, env));
    return adopted === undefined ? [] : [told(dir, adopted.voided, adopted.first)];
  });
}

const told = (dir: string, count: number, first: Lsn): string =>
  `The ledger in ${dir} was a copy, or was put back from a backup. It is this place's own now: history and messages stay, ` +
  `all locks in it have ended (${count} states), and tokens go on at ${first}.`;
