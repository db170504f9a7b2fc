import { describe, expect, it } from 'vitest';
import { dueOf, type Entry, formatHeld, type HeldList, parseHeld } from '../../src/fence/held.ts';

const entry = (owner: string, path: string): Entry => ({
  owner,
  path,
  key: `path:${path.slice(1)}`,
  epoch: 3,
  since_mono_ms: 12.5,
  ttl_ms: 900_000,
  pid: 77,
});

const held = (entries: readonly Entry[]): HeldList => ({
  entries,
  due: { mono_ms: 1_234, boot: 'boot id' },
  writable: ['/r/.git'],
  roots: ['/r'],
});

describe('the list of held files', () => {
  it('survives a round trip with any file names', () => {
    const names = ['/r/a', '/r/b c', '/r/new\nline', '/r/tab\t', '/r/back\\n', '/r/ü"\'', '/r/\\'];
    const reservation = { ...entry('o', '/r/src'), key: 'globs:o', epoch: null, pid: null };
    const given = held([...names.map((name) => entry('o', name)), reservation]);
    expect(parseHeld(formatHeld(given))).toEqual(given);
  });

  it('survives a round trip with any agent names, none of which can end a line or the header', () => {
    const given = held(['tab\there', 'new\nline', 'back\\n'].map((name) => entry(name, '/r/a')));
    const text = formatHeld(given);
    expect(parseHeld(text)).toEqual(given);
    expect(text.split('\n')).toHaveLength(2 + 1 + 1 + 3 + 1);
    expect(text.split('\n').filter((line) => line.split('\t')[1] === 'F')).toHaveLength(3);
  });

  it('names its owners first, and only as many as a shell should read', () => {
    const owners = (count: number) =>
      formatHeld(held(Array.from({ length: count }, (_, nth) => entry(`o${nth}`, `/r/${nth}`)))).split(
        '\n',
      )[0];
    expect([owners(0), owners(1), owners(2)]).toEqual(['#', '# o0', '# o0 o1']);
    expect(owners(9)).toMatch(/^# (?:o\d ){8}\.\.\.$/);
  });

  it('is empty if it was truncated, or is something else', () => {
    const text = formatHeld(held([entry('o', '/r/a')]));
    for (const broken of ['', '#', text.slice(0, -1), text.slice(3), 'x\n\n'])
      expect(parseHeld(broken)).toBe(null);
    expect([dueOf(''), dueOf(text)]).toEqual([null, { mono_ms: 1_234, boot: 'boot id' }]);
  });
});
