import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSlots, writeSlots } from '../../src/workspace/two-slots.ts';
import { scratchDir } from '../repo/scratch.ts';

const MAX = 1 << 20;

function opened() {
  const dir = scratchDir();
  const file = join(dir, 'f');
  const read = (): string | undefined => readSlots(file, MAX)?.text;
  const write = (text: string): void => writeSlots(dir, 'f', text, readSlots(file, MAX));
  return { dir, file, read, write };
}

describe('a text in two slots', () => {
  it('is the one that was written last', () => {
    const { file, read, write } = opened();
    const texts = ['one', 'two', '', 'Größe'.repeat(200), 'x'.repeat(5_000), 'short'];
    const inodes = texts.map((text) => {
      write(text);
      expect(read()).toBe(text);
      return fs.statSync(file).ino;
    });
    expect(new Set(inodes.slice(0, 4))).toHaveLength(1);
  });

  it('is the one before while the next is written, wherever its writer is killed', () => {
    const { file, read, write } = opened();
    for (const text of ['one', 'two, longer', 'three']) write(text);
    const before = fs.readFileSync(file);
    write('the fourth');
    const after = fs.readFileSync(file);
    const [first = 0, last = 0] = [0, -1].map((end) =>
      [...after.keys()].filter((at) => before[at] !== after[at]).at(end),
    );
    for (let size = 0; size <= last - first; size++) {
      fs.writeFileSync(file, before);
      const fd = fs.openSync(file, 'r+');
      fs.writeSync(fd, after, first, size, first);
      fs.closeSync(fd);
      expect(read()).toBe('three');
    }
    fs.writeFileSync(file, after);
    expect(read()).toBe('the fourth');
  });

  it('of two that write at once, one counts', () => {
    const { dir, file, read, write } = opened();
    for (const text of ['one', 'two']) write(text);
    const seen = readSlots(file, MAX);
    writeSlots(dir, 'f', 'three of one', seen);
    writeSlots(dir, 'f', 'three of another', seen);
    expect(read()).toBe('three of another');
    writeSlots(dir, 'f', 'four', readSlots(file, MAX));
    writeSlots(dir, 'f', 'late', seen);
    expect(read()).toBe('four');
  });

  it('does not write into a file that has a second name, or through a link', () => {
    const { dir, file, read, write } = opened();
    write('one');
    for (const kind of ['linkSync', 'symlinkSync'] as const) {
      const other = join(dir, kind);
      const seen = readSlots(file, MAX);
      fs.copyFileSync(file, other);
      fs.rmSync(file);
      fs[kind](other, file);
      const content = fs.readFileSync(other);
      writeSlots(dir, 'f', kind, seen);
      expect(fs.readFileSync(other)).toEqual(content);
      expect(read()).toBe(kind);
    }
  });

  it.each(['', 'no slot', '\n'.repeat(4_096), '0'.repeat(4_096)])(
    '%j is none, and is replaced',
    (content) => {
      const { file, read, write } = opened();
      fs.writeFileSync(file, content);
      expect(read()).toBeUndefined();
      write('one');
      expect(read()).toBe('one');
    },
  );
});
