/**
 * One place in which a ledger lives, is backed up, restored, copied and adopted, with the lease model of the storms.
 * Every token given out there is remembered outside the place, as agents remember theirs.
 */
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { isGuardError } from '../../src/core/error.ts';
import type { AdoptOptions, Leaps } from '../../src/store/embedded/adopt.ts';
import { clock } from '../store/scratch.ts';
import type { EngineUnderTest } from './engine.ts';
import { type Act, asState, step } from './model.ts';

const SEGMENT_BYTES = 1500;
const KEYS = ['key:0', 'key:1', 'key:2'];

/** A wall clock that stands still, or advances by `step_ms` with every look. */
export function wallClock(step_ms: number): AdoptOptions['now'] {
  const now = clock();
  let wall_ms = 1_700_000_000_000;
  return () => ({ ...now(), wall_ms: (wall_ms += step_ms) });
}

/** The highest lsn, kept outside the place. `noMemory`: as if the user's state directory had been lost, too. */
export function memory(): Leaps {
  let highest = 0;
  return { highest: () => highest, reserve: (lsn) => void (highest = lsn) };
}

export const noMemory: Leaps = { highest: () => 0, reserve: () => undefined };

export interface Place {
  readonly engine: EngineUnderTest;
  readonly dir: string;
  readonly now: AdoptOptions['now'];
  readonly leaps: Leaps;
  /** Every token given out here, in order, with its key. */
  readonly told: { readonly key: string; readonly agent: string; readonly token: number }[];
}

export const adopt = ({ engine, dir, now, leaps }: Place) =>
  engine.adoptCopy(dir, { now, leaps, lock_deadline_ms: 1000, voids: () => null });

const openIn = ({ engine, dir, now }: Place) =>
  engine.openEmbedded(dir, { now, segment_bytes: SEGMENT_BYTES, lock_deadline_ms: 1000 });

/** Takes or releases one key. Returns the token if it was granted. */
export function run(place: Place, op: Act['op'], agent: string, key: string): number | undefined {
  const act: Act = { op, agent, keys: [key], mode: 'exclusive', ttl_ms: 3_600_000, now_ms: 0 };
  const { granted, token } = openIn(place).transactSync([key], step(act));
  if (!granted || op !== 'acquire') return undefined;
  place.told.push({ key, agent, token });
  return token;
}

export const anyKey = (random: (below: number) => number): string => KEYS[random(KEYS.length)] ?? 'key:0';

/** The code of the refusal; "accepted" if there was none. */
export function refusal(act: () => unknown): string {
  try {
    act();
    return 'accepted';
  } catch (error) {
    if (isGuardError(error)) return error.code;
    throw error;
  }
}

export const holders = (place: Place): readonly string[] => {
  const view = openIn(place).readSync(KEYS);
  return KEYS.flatMap((key) => asState(view.get(key)).holds.map(({ agent }) => `${key} ${agent}`));
};

export const copyTo = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, preserveTimestamps: true });

/** The ways to restore a backup. All but the first leave something of the current files. */
export const RESTORES: Readonly<Record<string, (backup: string, dir: string) => void>> = {
  'the directory replaced'(backup, dir) {
    rmSync(dir, { recursive: true });
    copyTo(backup, dir);
  },
  'moved into its place'(backup, dir) {
    rmSync(dir, { recursive: true });
    copyTo(backup, `${dir}.new`);
    renameSync(`${dir}.new`, dir);
  },
  // Like rsync: replaces a file unless it is already the same; the lock is.
  'every changed file replaced'(backup, dir) {
    for (const name of readdirSync(dir))
      if (name !== 'lock' && statSync(`${dir}/${name}`).isFile()) rmSync(`${dir}/${name}`);
    for (const name of readdirSync(backup)) {
      if (name === 'lock' || !statSync(`${backup}/${name}`).isFile()) continue;
      writeFileSync(`${dir}/${name}.rsync`, readFileSync(`${backup}/${name}`), { mode: 0o600 });
      renameSync(`${dir}/${name}.rsync`, `${dir}/${name}`);
    }
  },
  'without its index and checkpoints'(backup, dir) {
    RESTORES['the directory replaced']?.(backup, dir);
    for (const name of readdirSync(dir)) if (/^(index|checkpoint-)/.test(name)) rmSync(`${dir}/${name}`);
  },
  'without the record of its home'(backup, dir) {
    RESTORES['the directory replaced']?.(backup, dir);
    rmSync(`${dir}/home`);
  },
};

export const segments = (dir: string): string[] =>
  readdirSync(dir)
    .filter((name) => name.startsWith('ledger-'))
    .sort();

/** A copy that ended early, for example on a full disk. */
export function shorten(dir: string, bytes: number): void {
  const last = `${dir}/${segments(dir).at(-1) ?? ''}`;
  truncateSync(last, Math.max(0, statSync(last).size - bytes));
}

export function freshDir(dir: string): string {
  mkdirSync(dir, { mode: 0o700 });
  return dir;
}

/** Tokens that are not higher than all given out before. */
export const notNew = ({ told }: Place): readonly string[] =>
  told.flatMap(({ agent, token }, at) =>
    told.slice(0, at).some((one) => one.token >= token) ? [`${agent} was told ${token} again`] : [],
  );
