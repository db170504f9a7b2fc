/** Paths that lead through a process mean one file to guard and another to the client, so none can be written. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveTarget } from '../../src/repo/canonical.ts';
import { errorOf } from './errors.ts';
import { gitRepo, initialise, put, scratchDir } from './scratch.ts';

const NO_HOME = { home: undefined };
const here = process.platform === 'linux';

describe.runIf(here)('a path that leads through a process is refused', () => {
  const dir = scratchDir();
  const root = gitRepo(join(dir, 'repo'));
  initialise(root);
  put(join(root, 'a.txt'), 'one\n');
  const links: readonly (readonly [string, string])[] = [
    ['to-cwd', '/proc/self/cwd'],
    ['to-proc', '/proc'],
    ['to-self', '/proc/self'],
    ['to-thread', '/proc/thread-self'],
    ['to-link', 'to-cwd'],
    ['to-dev', '/dev'],
    ['to-stdin', '/dev/stdin'],
    ['to-fd', '/dev/fd'],
    ['to-root', `/proc/${process.pid}/root`],
    ['to-dots', '/dev/../proc//./self/cwd'],
  ];
  for (const [name, to] of links) symlinkSync(to, join(root, name));
  mkdirSync(join(root, 'proc/self'), { recursive: true });
  symlinkSync('/proc/self/cwd', join(root, 'proc/self/root'));

  const reason = (given: string, cwd = root): unknown =>
    (errorOf(() => resolveTarget(given, cwd, NO_HOME)) as { facts?: { reason?: unknown } } | null)?.facts
      ?.reason;

  it.each([
    '/proc/self/cwd/a.txt',
    '/proc/self/cwd',
    '/proc/self/root/etc/hosts',
    '/proc/self/fd/1',
    '/proc/self',
    '/proc/self/environ',
    '/proc/thread-self/cwd/new.txt',
    `/proc/${process.pid}/cwd/a.txt`,
    `/proc/${process.pid}/task/${process.pid}/root/a.txt`,
    '/proc/4194305/cwd/a.txt',
    '//proc///self/./cwd/a.txt',
    '/etc/../proc/self/cwd/a.txt',
    '/PROC/Self/CWD/a.txt',
    '/dev/fd/0',
    '/dev/fd',
    '/dev/stdin',
    '/dev/stdout',
    '/dev/./stderr',
    '/proc/self/cwd/src/../a.txt',
  ])('%s', (given) => {
    expect(reason(given)).toBe('of_process');
  });

  it.each([
    'to-cwd/a.txt',
    'to-cwd/new.txt',
    'to-cwd/new/deep.txt',
    'to-proc/self/cwd/a.txt',
    'to-self/cwd/a.txt',
    'to-thread/root/a.txt',
    'to-link/a.txt',
    'to-dev/fd/0',
    'to-stdin',
    'to-fd/1',
    'to-root/etc/hosts',
    'to-dots/a.txt',
    'proc/self/root/a.txt',
  ])('by a link: %s', (given) => {
    expect(reason(given)).toBe('of_process');
  });

  it('where only the directory that a relative path starts from does', () => {
    expect(reason('a.txt', '/proc/self/cwd')).toBe('of_process');
    expect(reason('../cwd/a.txt', '/proc/self/fd')).toBe('of_process');
    expect(reason('a.txt', join(root, 'to-cwd'))).toBe('of_process');
  });
});

describe('a name that only looks like one is an ordinary file', () => {
  const dir = scratchDir();
  const root = gitRepo(join(dir, 'repo'));
  initialise(root);
  symlinkSync('src', join(root, 'link'));
  put(join(root, 'src/a.txt'));
  put(join(root, 'proc/self/cwd'), 'x');
  put(join(root, 'proc/1/fd/0'), 'x');

  it.each([
    ['proc/self/cwd', 'proc/self/cwd'],
    ['proc/self/new.txt', 'proc/self/new.txt'],
    ['proc/1/fd/0', 'proc/1/fd/0'],
    ['dev/fd', 'dev/fd'],
    ['dev/stdin', 'dev/stdin'],
    ['src/proc.ts', 'src/proc.ts'],
    ['./proc/./self/../self/cwd', 'proc/self/cwd'],
    ['link/a.txt', 'src/a.txt'],
    ['link/proc/self/cwd', 'src/proc/self/cwd'],
    ['rootfs/proc/self/root/x', 'rootfs/proc/self/root/x'],
  ])('%s', (given, path) => {
    expect(resolveTarget(given, root, NO_HOME).path).toBe(path);
  });

  it.runIf(here)('nor is anything else the system shows: /proc/cpuinfo, /dev/null', () => {
    expect(resolveTarget('/proc/cpuinfo', root, NO_HOME).kind).toBe('file');
    expect(resolveTarget('/dev/null', root, NO_HOME).kind).toBe('special');
    expect(resolveTarget('/proc/sys/kernel/hostname', root, NO_HOME).kind).toBe('file');
  });
});
