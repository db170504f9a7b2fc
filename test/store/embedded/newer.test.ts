import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pageBytes, PAGE_BYTES, sealPage } from '../../../src/store/embedded/page.ts';
import { verifyLedger } from '../../../src/store/embedded/verify.ts';
import { forged } from '../../chaos/forge.ts';
import { failure, fill, open, put, record } from '../kit.ts';
import { clock, withDir } from '../scratch.ts';

const FIRST = 'ledger-000000000001.jsonl';
const states = (dir: string): unknown => open(dir).readSync([], ['path:']).range('path:');

/** Rewrites words of page 0 of the index, and seals it again. */
function rewriteHeader(dir: string, words: Readonly<Record<number, number>>): void {
  const whole = readFileSync(`${dir}/index`);
  const page = new Int32Array(whole.buffer.slice(whole.byteOffset, whole.byteOffset + PAGE_BYTES));
  for (const [at, word] of Object.entries(words)) page[Number(at)] = word;
  whole.set(pageBytes(sealPage(page, 0)));
  writeFileSync(`${dir}/index`, whole);
}
const FORMAT_WORD = 1;
const VERSION_WORD = 24;

describe('a store whose index another guard wrote', () => {
  test.each([
    ['in a format that this one does not know', { [FORMAT_WORD]: 2 }],
    ['that knew newer records, of which none is left', { [VERSION_WORD]: 9 }],
  ])('%s makes a new one', (_, words) =>
    withDir((dir) => {
      fill(dir, 20);
      const expected = states(dir);
      rewriteHeader(dir, words);
      expect(states(dir)).toEqual(expected);
      put(open(dir), record({ k: 1 }));
      expect(verifyLedger(dir, { now: clock() })).toMatchObject({ ok: true, notes: [], records: 21 });
    }),
  );

  test('that knew newer records refuses them, and leaves that index alone', () =>
    withDir((dir) => {
      fill(dir, 3);
      const whole = readFileSync(`${dir}/${FIRST}`);
      writeFileSync(
        `${dir}/${FIRST}`,
        forged(whole, 1, (text) => text.replace('{"v":1', '{"v":9'), true),
      );
      rewriteHeader(dir, { [VERSION_WORD]: 9 });
      const index = readFileSync(`${dir}/index`);
      const error = failure(() => put(open(dir), record({ k: 1 })));
      expect([error.code, error.facts['version']]).toEqual(['GUARD_ERR_VERSION', 9]);
      expect(readFileSync(`${dir}/index`).equals(index)).toBe(true);
    }));
});
