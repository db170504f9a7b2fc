/** Which ledger a directory holds: what counts as a copy, what does not, and where an adopted ledger continues. */
import { appendFileSync, cpSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { adoptCopy, leapFrom } from '../../../src/store/embedded/adopt.ts';
import { compactIsDue, compactLedger } from '../../../src/store/embedded/compact.ts';
import { decodeHeader, encodeHeader } from '../../../src/store/embedded/header.ts';
import { isSameHome } from '../../../src/store/embedded/home.ts';
import { pageBytes, emptyPage, PAGE_BYTES } from '../../../src/store/embedded/page.ts';
import { repairLedger } from '../../../src/store/embedded/repair.ts';
import { verifyLedger } from '../../../src/store/embedded/verify.ts';
import { failure, files, fill, open, put, record } from '../kit.ts';
import { clock, withDir } from '../scratch.ts';

const EXT4 = 0xef53;
const [OVERLAY, FUSE] = [0x794c7630, 0x65735546];
const leaps = { highest: () => 0, reserve: () => undefined };
const adopt = (dir: string) =>
  adoptCopy(dir, { now: clock(), leaps, voids: (key) => (key === 'path:0' ? null : undefined) });
const code = (act: () => unknown): string => failure(act).code;
const states = (dir: string): unknown => open(dir).readSync([], ['path:']).range('path:');

/** A copy of a filled ledger. */
const withCopy = (use: (copy: string, dir: string) => void) =>
  withDir((dir) =>
    withDir((copy) => {
      fill(dir, 20);
      cpSync(dir, copy, { recursive: true, preserveTimestamps: true });
      use(copy, dir);
    }),
  );

describe('a lock file is the one on record', () => {
  test.each([
    ['the same', { ino: 5, birth_ms: 1_000 }, EXT4, true],
    ['another inode', { ino: 6, birth_ms: 1_000 }, EXT4, false],
    ['an inode that was used again', { ino: 5, birth_ms: 2_000 }, EXT4, false],
    ['one whose file system tells no birth time', { ino: 5, birth_ms: 0 }, EXT4, true],
    ['another one there', { ino: 6, birth_ms: 0 }, EXT4, false],
    ['one that an overlay numbered anew', { ino: 6, birth_ms: 1_000 }, OVERLAY, true],
    ['one that an overlay copied up from an image', { ino: 5, birth_ms: 2_000 }, OVERLAY, false],
    ['any, where inode numbers are made up', { ino: 6, birth_ms: 0 }, FUSE, true],
  ])('%s: %o on %i is %s', (_, found, type, same) => {
    expect(isSameHome({ ino: 5, birth_ms: 1_000 }, found, type)).toBe(same);
  });
});

describe('lsns leap', () => {
  const WALL_MS = 1_700_000_000_000;
  test('above the copy, earlier leaps and the clock', () => {
    expect(leapFrom(1, 0, WALL_MS)).toBe(WALL_MS * 32);
    expect(leapFrom(WALL_MS * 32 + 5, 0, WALL_MS)).toBeGreaterThan(WALL_MS * 32 + 5);
    expect(leapFrom(1, WALL_MS * 32, WALL_MS)).toBeGreaterThan(WALL_MS * 32);
    expect(leapFrom(700, 0, 0)).toBeGreaterThan(2 ** 29);
  });

  test('not beyond what names and slots have room for, whatever the clock says', () => {
    expect(leapFrom(1, 0, 9e15)).toBe(2 ** 47);
    expect(code(() => leapFrom(2 ** 48 - 1, 0, 0))).toBe('GUARD_ERR_FULL');
  });
});

describe('a copy', () => {
  test('is refused by readers and writers, keeps its history readable, and nothing of it changes', () =>
    withCopy((copy, dir) => {
      const before = files(copy).map((name) => readFileSync(`${copy}/${name}`, 'latin1'));
      expect(code(() => put(open(copy), record({ k: 1 })))).toBe('GUARD_ERR_COPIED');
      expect(code(() => states(copy))).toBe('GUARD_ERR_COPIED');
      expect([...open(copy).scanSync()]).toEqual([...open(dir).scanSync()]);
      expect(verifyLedger(copy, { now: clock() }).problems).toMatchObject([{ kind: 'copied' }]);
      expect(files(copy).map((name) => readFileSync(`${copy}/${name}`, 'latin1'))).toEqual(before);
      expect(code(() => compactLedger(copy, { now: clock() }))).toBe('GUARD_ERR_COPIED');
    }));

  test("that is adopted keeps what is not void, goes on far behind, and is nobody else's", () =>
    withCopy((copy, dir) => {
      const tip = open(dir).tip();
      expect(adopt(copy)).toMatchObject({ after: tip, voided: 1 });
      expect(states(copy)).toEqual((states(dir) as [string, unknown][]).filter(([key]) => key !== 'path:0'));
      expect(put(open(copy), record({ k: 1 }))).toBeGreaterThan(2 ** 40);
      expect(adopt(copy)).toBeUndefined();
      expect(verifyLedger(copy, { now: clock() })).toMatchObject({ ok: true });
      expect([...open(copy).scanSync(tip)].map(({ type }) => type)).toEqual([
        'ledger.copied',
        'ledger.copied',
        'test',
      ]);
    }));

  test('that was adopted finds everything again without its index, after compaction, and in a copy of itself', () =>
    withCopy((copy, dir) => {
      adopt(copy);
      fill(copy, 12);
      const expected = states(copy);
      rmSync(`${copy}/index`);
      expect(states(copy)).toEqual(expected);
      put(open(copy), record({ k: 1 }));
      expect(compactIsDue(copy, 1 << 20)).toBe(false);
      expect(compactIsDue(copy, 1_000)).toBe(true);
      compactLedger(copy, { now: clock(), keep_bytes: 1_000, segment_bytes: 650 });
      expect(states(copy)).toEqual(expected);
      expect(verifyLedger(copy, { now: clock() })).toMatchObject({ ok: true });
      rmSync(dir, { recursive: true });
      cpSync(copy, dir, { recursive: true });
      expect(adopt(dir)?.first).toBeGreaterThan(open(copy).tip());
      expect(verifyLedger(dir, { now: clock() })).toMatchObject({ ok: true });
    }));

  test('with damage in its middle is repaired first, then adopted', () =>
    withCopy((copy) => {
      const name = `${copy}/${files(copy, 'ledger-')[1] ?? ''}`;
      writeFileSync(name, readFileSync(name, 'utf8').replace('"type":"test"', '"type":"tesT"'));
      expect(code(() => adopt(copy))).toBe('GUARD_ERR_CORRUPT');
      const { after } = repairLedger(copy, { now: clock(), quarantine: true });
      expect(after.problems).toMatchObject([{ kind: 'copied' }]);
      expect(adopt(copy)).toBeDefined();
      expect(verifyLedger(copy, { now: clock() })).toMatchObject({ ok: true });
    }));

  test('of a ledger of 0.1 is still one after a repair that removes all that told it', () =>
    withCopy((copy) => {
      rmSync(`${copy}/home`);
      const name = `${copy}/${files(copy, 'ledger-')[1] ?? ''}`;
      writeFileSync(name, readFileSync(name, 'utf8').replace('"type":"test"', '"type":"tesT"'));
      repairLedger(copy, { now: clock(), quarantine: true });
      expect(code(() => put(open(copy), record({ k: 1 })))).toBe('GUARD_ERR_COPIED');
      expect(adopt(copy)).toBeDefined();
      expect(put(open(copy), record({ k: 1 }))).toBeGreaterThan(2 ** 40);
    }));
});

describe('what is no copy', () => {
  test('a ledger that was moved, lost its caches, or is looked at in another boot', () =>
    withDir((dir) => {
      fill(dir, 20);
      const expected = states(dir);
      renameSync(dir, `${dir}-moved`);
      for (const name of files(`${dir}-moved`))
        if (/^(index|checkpoint)/.test(name)) rmSync(`${dir}-moved/${name}`);
      put(open(`${dir}-moved`, { now: clock('boot-2') }), record({ k: 1 }));
      expect(states(`${dir}-moved`)).toEqual(expected);
      renameSync(`${dir}-moved`, dir);
    }));

  test('a ledger of 0.1, whose index kept the bare inodes: it is put on record without a word', () =>
    withDir((dir) => {
      fill(dir, 4, { segment_bytes: 1 << 20 });
      const expected = states(dir);
      const image = readFileSync(`${dir}/index`);
      const page = emptyPage();
      pageBytes(page).set(image.subarray(0, PAGE_BYTES));
      const header = decodeHeader(page);
      if (header === undefined) throw new Error('no header');
      const inode = (name: string): number => statSync(`${dir}/${name}`).ino;
      Object.assign(header, { home: inode('lock'), segment: inode(files(dir, 'ledger-')[0] ?? '') });
      image.set(pageBytes(encodeHeader(header)));
      writeFileSync(`${dir}/index`, image);
      rmSync(`${dir}/home`);
      put(open(dir, { segment_bytes: 1 << 20 }), record({ k: 1 }));
      expect(states(dir)).toEqual(expected);
      expect(files(dir)).toContain('home');
    }));
});

describe('whole lines that somebody appended', () => {
  const append = (dir: string, text: string): void =>
    appendFileSync(`${dir}/${files(dir, 'ledger-').at(-1) ?? ''}`, text);

  test.each(['hello\n', '\n', 'two\nlines\n', 'one\nand a half'])(
    '%j is cut and kept, and no record with it',
    (text) =>
      withDir((dir) => {
        fill(dir, 8);
        const [expected, records] = [states(dir), [...open(dir).scanSync()]];
        append(dir, text);
        expect(verifyLedger(dir, { now: clock() })).toMatchObject({ ok: true });
        expect([...open(dir).scanSync()]).toEqual(records);
        put(open(dir), record({ k: 1 }));
        expect(states(dir)).toEqual(expected);
        const after = [...open(dir).scanSync()];
        expect(after.slice(0, records.length)).toEqual(records);
        const cut = after.find(({ type }) => type === 'ledger.cut');
        expect(cut).toMatchObject({ cause: 'foreign', bytes: text.length });
        const [kept = ''] = files(dir, 'cut-');
        expect(cut?.['file']).toBe(kept);
        expect(readFileSync(`${dir}/${kept}`, 'utf8')).toBe(text);
      }),
  );

  test.each([
    ['looks like a record', '{"v":1,"id":"x"}\n'],
    ['has the end of one', 'x,"crc":"00000000"}\n'],
    ['is what a power cut may leave', '\0\0\n'],
  ])('that %s is damage', (_, text) =>
    withDir((dir) => {
      fill(dir, 8);
      append(dir, text);
      expect(code(() => put(open(dir), record({ k: 1 })))).toBe('GUARD_ERR_CORRUPT');
    }),
  );

  test('in place of an acknowledged record, or where no index tells the end, is damage', () =>
    withDir((dir) => {
      fill(dir, 8, { segment_bytes: 1 << 20 });
      const name = `${dir}/${files(dir, 'ledger-')[0] ?? ''}`;
      const whole = readFileSync(name);
      const last = whole.lastIndexOf(10, whole.length - 2) + 1;
      writeFileSync(
        name,
        Buffer.concat([
          whole.subarray(0, last),
          Buffer.from('x'.repeat(whole.length - last - 1)),
          Buffer.from('\n'),
        ]),
      );
      expect(code(() => put(open(dir), record({ k: 1 })))).toBe('GUARD_ERR_CORRUPT');
      writeFileSync(name, Buffer.concat([whole, Buffer.from('hello\n')]));
      rmSync(`${dir}/index`);
      expect(code(() => put(open(dir), record({ k: 1 })))).toBe('GUARD_ERR_CORRUPT');
    }));
});
