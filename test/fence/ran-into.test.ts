import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/fence/held.ts';
import type { HelperKind } from '../../src/fence/site.ts';
import { ranInto } from '../../src/fence/ran-into.ts';

const held = (...paths: readonly string[]): Entry[] =>
  paths.map((path) => ({
    owner: 'o',
    path,
    key: `path:${path}`,
    epoch: 1,
    since_mono_ms: 0,
    ttl_ms: 1,
    pid: null,
  }));
const OTHERS = held('/r/a.txt', '/r/src/b.txt', '/r/gen');
const hit = (shown: string, targets: readonly string[] = [], by: HelperKind = 'perl'): string[] =>
  ranInto(shown, OTHERS, '/r', { targets: () => targets, by }).map(({ path }) => path);

describe('a refusal by the kernel', () => {
  it.each([
    ['/bin/bash: line 1: a.txt: Read-only file system', ['/r/a.txt']],
    [
      "sed: cannot rename ./sedAbC12: Device or resource busy\nmv: cannot move 'x' to 'src/b.txt': Device or resource busy",
      ['/r/src/b.txt'],
    ],
    ["Error: EROFS: read-only file system, open '/r/a.txt'", ['/r/a.txt']],
    ["OSError: [Errno 30] Read-only file system: 'gen/new.txt'", ['/r/gen']],
    ["error: unable to unlink old 'src/b.txt': Device or resource busy", ['/r/src/b.txt']],
    ['b.txt: Read-only file system', ['/r/src/b.txt']],
    ["touch: cannot touch '../src/b.txt': Read-only file system", ['/r/src/b.txt']],
  ])('names the file: %s', (shown, paths) => {
    expect(hit(shown)).toEqual(paths);
  });

  it.each([
    'all is well in a.txt',
    'ls: /root: Permission denied',
    'data.txt: Read-only file system',
    'a.txt.bak: Read-only file system',
    'mount: /mnt: Read-only file system',
    'rm: cannot remove /r/a.txt: Permission denied',
    'bash: ./a.txt: Permission denied',
    "rm: cannot remove '/mnt/usb/a.txt': Device or resource busy",
    "cp: cannot create 'lib/b.txt': Read-only file system",
  ])('is not seen where there is none: %s', (shown) => {
    expect(hit(shown)).toEqual([]);
  });

  it('by a rule is distinguished from others by the helper in use, and by the file', () => {
    expect(hit('rm: cannot remove /r/a.txt: Permission denied', [], 'landlock')).toEqual(['/r/a.txt']);
    expect(hit('ls: /root/a.txt: Permission denied', [], 'landlock')).toEqual([]);
  });

  it('that names no file is attributed to the files that the command was going to write', () => {
    expect(
      hit("sed: couldn't open temporary file ./sedX: Read-only file system", ['/r/gen/x', '/r/free']),
    ).toEqual(['/r/gen']);
    expect(hit('Read-only file system', [])).toEqual([]);
  });
});
