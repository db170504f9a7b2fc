import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSmallFile, textOf } from '../../src/repo/small-file.ts';
import { put, scratchDir } from './scratch.ts';

const dir = scratchDir();

it('a text up to the limit is read whole, a longer one not at all', () => {
  expect(readSmallFile(put(join(dir, 'five'), 'fünf'), 5)).toEqual({ state: 'text', text: 'fünf' });
  expect(readSmallFile(put(join(dir, 'empty')), 5)).toEqual({ state: 'text', text: '' });
  expect(readSmallFile(put(join(dir, 'six'), '123456'), 5)).toEqual({
    state: 'unreadable',
    reason: 'too_large',
  });
});

it.skipIf(process.platform !== 'linux')(
  'a file that does not say its size is read whole, up to the limit',
  () => {
    const whole = readSmallFile('/proc/self/maps', 1 << 20);
    expect(whole).toEqual({
      state: 'text',
      text: expect.stringMatching(/^[^]{5000,} \[stack\]\n[^]*\n$/) as string,
    });
    expect(readSmallFile('/proc/self/maps', 4_500)).toEqual({ state: 'unreadable', reason: 'too_large' });
  },
);

it('a FIFO, a device, a directory and a link loop are told at once, a missing file is missing', () => {
  const start = performance.now();
  execFileSync('mkfifo', [join(dir, 'fifo')]);
  mkdirSync(join(dir, 'directory'));
  symlinkSync('loop', join(dir, 'loop'));
  for (const path of [join(dir, 'fifo'), join(dir, 'directory'), '/dev/zero', '/dev/null']) {
    expect(readSmallFile(path, 100)).toEqual({ state: 'unreadable', reason: 'not_a_file' });
  }
  expect(readSmallFile(join(dir, 'loop'), 100)).toEqual({ state: 'unreadable', reason: 'ELOOP' });
  expect(readSmallFile(join(dir, 'none'), 100)).toEqual({ state: 'missing' });
  expect(readSmallFile(join(dir, 'five/below'), 100)).toEqual({ state: 'missing' });
  expect(textOf(join(dir, 'directory'))).toBeNull();
  expect(performance.now() - start).toBeLessThan(1000);
});
