/**
 * Byte-exact images of what a crash, a bad disk or a careless hand may leave. For each, the ledger either continues
 * after an exact prefix of what was there, with the rest kept aside, or is refused with a specific error.
 */
import { readFileSync, readdirSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isGuardError } from '../../src/core/error.ts';
import type { RecordBody } from '../../src/core/ledger.ts';
import type { VerifyReport } from '../../src/store/embedded/verify-report.ts';
import { clock, makeDirInMemory, removeDir } from '../store/scratch.ts';
import { fold } from './check.ts';
import { loadEngine } from './engine.ts';
import { seeded } from './random.ts';

/** Images per kind; the long run uses 1,000,000 in total. */
const IMAGES = Number(process.env['GUARD_CHAOS_IMAGES'] ?? 100);
const SEGMENT = 'ledger-000000000001.jsonl';

const engine = loadEngine();
let dir = '';
let ledger: Buffer = Buffer.alloc(0);
let index: Buffer = Buffer.alloc(0);
/** The offset after each record. */
let ends: number[] = [];

const open = () => engine.openEmbedded(dir, { now: clock() });

/** One or three records of a commit, with names that are hard to quote. */
function bodies(at: number): RecordBody[] {
  const body = {
    type: 'test',
    agent: 'a',
    ts_ms: 1_700_000_000_000,
    s: { [`path:${at % 17}`]: { at }, [`path:ü\n"${at}`]: at },
  };
  return at % 9 === 0 ? [body, { ...body, s: { sibling: at } }, { ...body, s: {} }] : [body];
}

beforeAll(() => {
  dir = makeDirInMemory();
  for (let at = 0; at < 40; at++) {
    open().transactSync([], () => ({ records: bodies(at), result: null }));
  }
  ledger = readFileSync(`${dir}/${SEGMENT}`);
  index = readFileSync(`${dir}/index`);
  ends = [0];
  for (let at = ledger.indexOf(10); at >= 0; at = ledger.indexOf(10, at + 1)) ends.push(at + 1);
});

afterAll(() => removeDir(dir));

/** Overwrites the contents of the store's files with the image; the files themselves stay. */
function place(image: { readonly ledger: Buffer; readonly index: Buffer | undefined }): void {
  for (const name of readdirSync(dir))
    if (name !== 'lock' && name !== SEGMENT && name !== 'index') unlinkSync(`${dir}/${name}`);
  writeFileSync(`${dir}/${SEGMENT}`, image.ledger);
  if (image.index === undefined) {
    if (readdirSync(dir).includes('index')) unlinkSync(`${dir}/index`);
  } else {
    writeFileSync(`${dir}/index`, image.index);
  }
}

const commitEnds = (): number[] => {
  let more = false;
  return ends.filter((end, at) => {
    const line = ledger.subarray(ends[at - 1] ?? 0, end).toString('utf8');
    more = line.includes('"more":');
    return !more;
  });
};

/** The lsn of the next record, or the code of the refusal. */
function tryImage(): number | string {
  try {
    const store = open();
    store.transactSync(['path:0'], (view) => ({
      records: [{ type: 'test', agent: 'next', ts_ms: 0, s: { fresh: view.get('path:0') ?? null } }],
      result: null,
    }));
    const records = [...store.scanSync()];
    const own = records.findIndex(({ type }) => type === 'ledger.cut');
    const kept = own < 0 ? records.slice(0, -1) : records.slice(0, own);
    const now = readFileSync(`${dir}/${SEGMENT}`);
    const end = (records[kept.length]?.lsn ?? 1) - 1;
    if (!now.subarray(0, end).equals(ledger.subarray(0, end))) return 'not a prefix';
    const live = new Map(store.readSync([], ['']).range(''));
    for (const [key, state] of fold(records))
      if (JSON.stringify(live.get(key)) !== JSON.stringify(state)) return `wrong state of ${key}`;
    return verified(engine.verifyLedger(dir, { now: clock() })) ?? end;
  } catch (error) {
    return isGuardError(error)
      ? error.code
      : `threw ${error instanceof Error ? (error.stack ?? '') : 'something'}`;
  }
}

/** A damaged page that nothing has needed yet is still there: verify names it, and repair removes it. */
function verified({ problems }: VerifyReport): string | undefined {
  if (problems.every(({ kind }) => kind === 'index_differs')) {
    const { after } = engine.repairLedger(dir, { now: clock() });
    return after.ok ? undefined : `repair: ${JSON.stringify(after.problems[0])}`;
  }
  return `verify: ${JSON.stringify(problems[0])}`;
}

/** What the rules demand of an image without an index: the end of the last whole commit, or a refusal. */
function demanded(image: Buffer): number | string {
  let same = 0;
  while (same < image.length && same < ledger.length && image[same] === ledger[same]) same++;
  const whole = ends.filter((end) => end <= same).at(-1) ?? 0;
  const commit =
    commitEnds()
      .filter((end) => end <= same)
      .at(-1) ?? 0;
  if (whole === image.length) return commit;
  return image.subarray(whole).includes(10) ? 'GUARD_ERR_CORRUPT' : commit;
}

function run(
  kind: string,
  images: Iterable<{ readonly ledger: Buffer; readonly index?: Buffer; readonly demands: number | string }>,
): void {
  const wrong: string[] = [];
  let count = 0;
  for (const image of images) {
    place({ ledger: image.ledger, index: image.index });
    const got = tryImage();
    if (got !== image.demands) wrong.push(`${kind} ${count}: ${got} instead of ${image.demands}`);
    count++;
  }
  expect(count).toBeGreaterThan(0);
  expect(wrong.slice(0, 5)).toEqual([]);
  if (process.env['GUARD_CHAOS_REPORT'] !== undefined) process.stdout.write(`${kind}: ${count} images\n`);
}

const every = (from: number, to: number, wanted: number): number[] => {
  const stride = Math.max(1, Math.floor((to - from) / wanted));
  return Array.from({ length: Math.ceil((to - from) / stride) }, (_, at) => from + at * stride);
};

describe('a ledger without its index', () => {
  test('goes on behind its last whole commit when it was cut anywhere', () => {
    const tail = every(ends.at(-6) ?? 0, ledger.length, IMAGES);
    run(
      'cut',
      [...every(0, ledger.length, IMAGES), ...tail].map((at) => ({
        ledger: ledger.subarray(0, at),
        demands: demanded(ledger.subarray(0, at)),
      })),
    );
  });

  test('is refused when a byte of it changed, unless the rest is a torn tail', () => {
    const random = seeded(11);
    const flipped = Array.from({ length: IMAGES }, () => {
      const image = Buffer.from(ledger);
      const at = random(image.length);
      image[at] = (image[at] ?? 0) ^ (1 << random(8));
      return { ledger: image, demands: demanded(image) };
    });
    run('flip', flipped);
  });

  test('is refused when lines were removed, doubled, swapped or garbled', () => {
    const random = seeded(13);
    const lines = ends.slice(1).map((end, at) => ledger.subarray(ends[at] ?? 0, end));
    const edited = Array.from({ length: IMAGES }, (_, image) => {
      const at = random(lines.length - 2);
      const copy = [...lines];
      const line = lines[at] ?? Buffer.alloc(0);
      const edits = [
        () => copy.splice(at, 1),
        () => copy.splice(at, 0, line),
        () => copy.splice(at, 2, lines[at + 1] ?? line, line),
        () => copy.splice(at, 1, Buffer.concat([line.subarray(0, -5), Buffer.from('\n')])),
      ];
      edits[image % edits.length]?.();
      return { ledger: Buffer.concat(copy), demands: 'GUARD_ERR_CORRUPT' };
    });
    run('edit', edited);
  });

  test('is cut before a tail of zeros or of garbage without a line end, and only then', () => {
    const random = seeded(17);
    const from = ends.at(-5) ?? 0;
    const zeros = every(from, ledger.length, IMAGES / 2).map((at) => {
      const image = Buffer.from(ledger).fill(0, at);
      return { ledger: image, demands: demanded(image) };
    });
    const garbage = every(from, ledger.length, IMAGES / 2).map((at) => {
      const image = Buffer.concat([
        ledger.subarray(0, at),
        Buffer.from(Array.from({ length: 100 }, () => 1 + random(255))),
      ]);
      return { ledger: image, demands: demanded(image) };
    });
    run('tail', [...zeros, ...garbage]);
  });
});

describe('a damaged index', () => {
  test('costs nothing but time, whichever bit of it changed', () => {
    const random = seeded(19);
    const images = Array.from({ length: IMAGES }, (_, image) => {
      const copy = Buffer.from(index);
      // Every third flip hits the header.
      const at = random(image % 3 === 0 ? 512 : copy.length);
      copy[at] = (copy[at] ?? 0) ^ (1 << random(8));
      return { ledger, index: copy, demands: ledger.length };
    });
    run('index flip', images);
  });

  test('costs nothing but time when it is too short, empty or zeros', () => {
    const cut = every(0, index.length, IMAGES / 4).map((at) => ({
      ledger,
      index: index.subarray(0, at),
      demands: ledger.length,
    }));
    const zeroed = every(0, index.length, 40).map((at) => ({
      ledger,
      index: Buffer.from(index).fill(0, at, Math.min(at + 512, index.length)),
      demands: ledger.length,
    }));
    run('index cut', [...cut, ...zeroed]);
  });
});

describe('an index that is ahead of the ledger', () => {
  test('is believed: what it acknowledged is gone, so the ledger is refused', () => {
    for (const at of every(0, ledger.length - 1, 30)) {
      truncateSync(`${dir}/${SEGMENT}`, 0);
      place({ ledger: ledger.subarray(0, at), index });
      expect(tryImage()).toBe('GUARD_ERR_CORRUPT');
    }
  });
});
