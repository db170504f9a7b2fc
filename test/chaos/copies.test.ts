/**
 * Copies and backups at every point of a history: none is trusted before it is adopted. Afterwards no token is given
 * out twice, no earlier holder holds anything, and everything written before is still there.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clock, withDir } from '../store/scratch.ts';
import {
  adopt,
  anyKey,
  copyTo,
  freshDir,
  holders,
  memory,
  noMemory,
  notNew,
  type Place,
  refusal,
  RESTORES,
  run,
  segments,
  shorten,
  wallClock,
} from './copies.ts';
import { loadEngine } from './engine.ts';
import { withFault } from './faults.ts';
import { seeded } from './random.ts';

const WALKS = Number(process.env['GUARD_CHAOS_COPIES'] ?? 3);
/** One in this many operations of an adoption is tried as the point of death. */
const STRIDE = process.env['GUARD_CHAOS_FULL'] === undefined ? 9 : 1;
const engine = loadEngine();

const placeIn = (dir: string, more: Partial<Place> = {}): Place => ({
  engine,
  dir: freshDir(join(dir, 'place')),
  now: wallClock(0),
  leaps: memory(),
  told: [],
  ...more,
});

const ok = ({ dir }: Place) => engine.verifyLedger(dir, { now: clock() }).problems;
const history = ({ dir, now }: Place) => [...engine.openEmbedded(dir, { now }).scanSync()];

/** Makes some grants, so that the ledger has several segments and live holders. */
function work(place: Place, grants: number, name: string): void {
  for (let at = 0; at < grants; at++) {
    const [key, agent] = [`key:${at % 3}`, `${name}${at}`];
    run(place, 'acquire', agent, key);
    if (at < grants - 3) run(place, 'release', agent, key);
  }
}

describe.each(Object.entries(RESTORES))('a backup that is put back, %s', (_, restore) => {
  test.each([1, 9])('after %i grants is refused until it is adopted, and leaps', (grants) =>
    withDir((dir) => {
      const place = placeIn(dir);
      work(place, grants, 'first');
      const backup = join(dir, 'backup');
      copyTo(place.dir, backup);
      const before = history(place);
      run(place, 'release', `first${grants - 1}`, `key:${(grants - 1) % 3}`);
      work(place, 5, 'lost');
      // The same backup is restored again and again.
      for (const life of ['second', 'third']) {
        restore(backup, place.dir);
        expect(refusal(() => run(place, 'acquire', 'x', 'key:0'))).toBe('GUARD_ERR_COPIED');
        expect(refusal(() => holders(place))).toBe('GUARD_ERR_COPIED');
        expect(adopt(place)?.after).toBeGreaterThan(1);
        expect(holders(place)).toEqual([]);
        expect(adopt(place)).toBeUndefined();
        work(place, 6, life);
        expect(history(place).slice(0, before.length)).toEqual(before);
        expect(ok(place)).toEqual([]);
      }
      expect(notNew(place)).toEqual([]);
    }),
  );
});

test('where the memory of earlier leaps is lost with the rest, the clock alone keeps tokens apart', () =>
  withDir((dir) => {
    const place = placeIn(dir, { leaps: noMemory, now: wallClock(1_000) });
    work(place, 5, 'first');
    const backup = join(dir, 'backup');
    copyTo(place.dir, backup);
    for (const life of ['second', 'third', 'fourth']) {
      RESTORES['the directory replaced']?.(backup, place.dir);
      adopt(place);
      work(place, 6, life);
    }
    expect(notNew(place)).toEqual([]);
  }));

test('a copy elsewhere inherits no lock, and the original keeps its own', () =>
  withDir((dir) => {
    const place = placeIn(dir);
    work(place, 7, 'a');
    const [held, before] = [holders(place), ok(place)];
    const copy: Place = { ...place, dir: join(dir, 'elsewhere'), told: [], leaps: memory() };
    copyTo(place.dir, copy.dir);
    expect(refusal(() => run(copy, 'acquire', 'x', 'key:0'))).toBe('GUARD_ERR_COPIED');
    adopt(copy);
    expect(holders(copy)).toEqual([]);
    expect(run(copy, 'acquire', 'x', 'key:0')).toBeGreaterThan(
      Math.max(...place.told.map(({ token }) => token)),
    );
    expect([holders(place), ok(place)]).toEqual([held, before]);
    expect(held).toHaveLength(3);
  }));

test('a copy that ends in the middle of an acknowledged record says that it was shortened, not torn', () =>
  withDir((dir) => {
    const place = placeIn(dir);
    work(place, 2, 'a');
    const copy: Place = { ...place, dir: join(dir, 'elsewhere') };
    copyTo(place.dir, copy.dir);
    shorten(copy.dir, 100);
    expect(refusal(() => run(copy, 'acquire', 'x', 'key:0'))).toBe('GUARD_ERR_COPIED');
    adopt(copy);
    const [cut, leap] = history(copy).slice(-3);
    expect(cut).toMatchObject({ type: 'ledger.cut', cause: 'shortened' });
    expect(leap).toMatchObject({ type: 'ledger.copied' });
    expect(leap?.['remembered']).toBeGreaterThan(Number(cut?.['at']));
    expect(ok(copy)).toEqual([]);
  }));

test('an adoption that dies at any file operation leaves a copy that is refused, and that the next one adopts', () =>
  withDir((dir) => {
    const backup = freshDir(join(dir, 'backup'));
    const origin = placeIn(dir, { dir: backup });
    work(origin, 9, 'a');
    const wrong: string[] = [];
    for (const kind of ['with home', 'without home'] as const) {
      for (let at = 1; ; at += STRIDE) {
        const place: Place = {
          ...origin,
          dir: join(dir, `${kind}-${at}`),
          told: [...origin.told],
          leaps: memory(),
        };
        RESTORES['the directory replaced']?.(backup, freshDir(place.dir));
        if (kind === 'without home') RESTORES['without the record of its home']?.(backup, place.dir);
        const { hit } = withFault(() => adopt(place), {
          at,
          fault: { kind: 'die', when: at % 2 === 0 ? 'after' : 'before' },
        });
        if (!hit) break;
        const got = refusal(() => run(place, 'acquire', 'x', 'key:0'));
        const done = got === 'accepted' && notNew(place).length === 0;
        if (!done && got !== 'GUARD_ERR_COPIED') wrong.push(`${kind} ${at}: ${got}`);
        adopt(place);
        work(place, 2, 'b');
        wrong.push(...notNew(place).map((one) => `${kind} ${at}: ${one}`));
        wrong.push(...ok(place).map((one) => `${kind} ${at}: ${JSON.stringify(one)}`));
      }
    }
    expect(wrong).toEqual([]);
  }));

/** One random life of a place, from a seed. */
function walk(place: Place, dir: string, seed: number): void {
  const random = seeded(seed);
  const backups: string[] = [];
  for (let at = 0; at < 120; at++) {
    const what = random(12);
    if (what < 8) run(place, what < 5 ? 'acquire' : 'release', `a${random(4)}`, anyKey(random));
    else if (what === 8) {
      backups.push(join(dir, `backup-${at}`));
      copyTo(place.dir, backups.at(-1) ?? '');
    } else if (what === 9 && segments(place.dir).length > 3) {
      const { now } = place;
      engine.compactLedger(place.dir, { now, keep_bytes: 2_000, segment_bytes: 1_500 });
    } else {
      const backup = backups[random(backups.length)];
      const restore = Object.values(RESTORES)[random(Object.keys(RESTORES).length)];
      if (backup === undefined || restore === undefined) continue;
      restore(backup, place.dir);
      if (random(3) === 0) shorten(place.dir, random(60));
      expect(refusal(() => run(place, 'acquire', 'x', 'key:0'))).toBe('GUARD_ERR_COPIED');
      // The truncation removed where a compacted ledger begins: that is damage, and an intact backup is needed.
      if (refusal(() => adopt(place)) === 'GUARD_ERR_CORRUPT') {
        restore(backup, place.dir);
        adopt(place);
      }
      expect(holders(place)).toEqual([]);
      expect(ok(place)).toEqual([]);
    }
    expect(new Set(holders(place).map((one) => one.split(' ')[0])).size).toBe(holders(place).length);
  }
  expect(notNew(place)).toEqual([]);
  expect(ok(place)).toEqual([]);
}

test.each(Array.from({ length: WALKS }, (_, at) => at + 1))(
  'walk %i of backups, compactions and restores',
  (seed) =>
    withDir((dir) => {
      const place = placeIn(dir);
      run(place, 'acquire', 'a0', 'key:0');
      walk(place, dir, seed);
    }),
);
