import { mkfifoSync } from './fifo.ts';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Now } from '../../src/core/types.ts';
import { MAX_OFF_MS } from '../../src/core/policy/pause.ts';
import { endOff, OFF_FILE, readOff } from '../../src/install/off.ts';
import { put, scratchDir } from './scratch.ts';

const at = (wall_ms: number): Now => ({ wall_ms, mono_ms: 0, boot: 'b' });

describe('guard off', () => {
  const dir = scratchDir();
  const file = join(dir, OFF_FILE);
  const off = { since_wall_ms: 1000, until_wall_ms: 5000, by: 'me@here:pts-1' };

  it('holds from its beginning to its end', () => {
    put(file, JSON.stringify(off));
    expect([1000, 4999].map((time) => readOff(dir, at(time)))).toEqual([off, off]);
    expect([5000, 9999].map((time) => readOff(dir, at(time)))).toEqual([null, null]);
  });

  it('does not hold before its beginning: the clock was set back', () => {
    put(file, JSON.stringify(off));
    expect(readOff(dir, at(999))).toBeNull();
  });

  it.each([
    ['nothing', ''],
    ['half a file', '{"since_wall_ms":1000,'],
    ['another shape', '[]'],
    ['null', 'null'],
    ['texts for times', '{"since_wall_ms":"1000","until_wall_ms":"5000"}'],
    ['no beginning', '{"until_wall_ms":5000}'],
    ['a longer pause than guard makes', JSON.stringify({ since_wall_ms: 0, until_wall_ms: MAX_OFF_MS + 1 })],
    ['a file without end', `{"since_wall_ms":1000,"until_wall_ms":5000,"by":"${'x'.repeat(100_000)}"}`],
  ])('does not hold for %s', (_what, content) => {
    put(file, content);
    expect(readOff(dir, at(2000))).toBeNull();
  });

  it('does not hold for a pipe, and does not wait for one', () => {
    const pipes = scratchDir();
    mkfifoSync(join(pipes, OFF_FILE));
    expect(readOff(pipes, at(2000))).toBeNull();
  });

  it('ends when it is ended', () => {
    put(file, JSON.stringify(off));
    expect([endOff(dir, at(2000)), readOff(dir, at(2000)), endOff(dir, at(2000))]).toEqual([
      true,
      null,
      false,
    ]);
  });
});
