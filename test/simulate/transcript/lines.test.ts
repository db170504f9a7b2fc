import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rawLines } from '../../../src/simulate/transcript/lines.ts';
import { toldDay } from '../told.ts';

function linesOf(text: string, chunk_bytes: number, bytes?: number) {
  const file = join(toldDay().dir, 'x.jsonl');
  fs.writeFileSync(file, text);
  let read = 0;
  const onRead = (more: number): void => void (read += more);
  const lines = [...rawLines({ file, bytes: bytes ?? Buffer.byteLength(text), chunk_bytes, onRead })];
  return { lines, read };
}

describe('the lines of a transcript', () => {
  const text = 'erste\nzweite €\n\nletzte';

  it.each([1, 2, 3, 5, 8, 1_000])(
    'are the same in chunks of %i bytes, characters of several bytes too',
    (chunk) => {
      expect(linesOf(text, chunk)).toEqual({
        lines: [
          { text: 'erste', is_ended: true },
          { text: 'zweite €', is_ended: true },
          { text: '', is_ended: true },
          { text: 'letzte', is_ended: false },
        ],
        read: Buffer.byteLength(text),
      });
    },
  );

  it('end where the file ended when it was found, however much was added since', () => {
    expect(linesOf('one\ntwo\nthree\n', 4, 8).lines.map((line) => line.text)).toEqual(['one', 'two']);
  });

  it('end early where the file has become shorter', () => {
    expect(linesOf('one\n', 4, 100).lines).toEqual([{ text: 'one', is_ended: true }]);
  });
});
