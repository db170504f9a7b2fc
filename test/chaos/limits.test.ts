/**
 * Limits of the operating system that stop a write in the middle: a file size limit gives real short writes, a full
 * file system real ENOSPC. Everything acknowledged is kept, and the store is usable again when there is room.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, statfsSync, writeFileSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { verifyLedger } from '../../src/store/embedded/verify.ts';
import { bundleProgram } from '../store/bundle.ts';
import { failure, files, open, put, record } from '../store/kit.ts';
import { clock, withDir } from '../store/scratch.ts';

const program = bundleProgram('test/chaos/filler.ts');

/** A filler's report: how far it got, and with which error it ended. */
interface Filled {
  readonly acknowledged: number;
  readonly code: string;
}

function filled(command: string, args: readonly string[]): Promise<Filled> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject).on('close', () => resolve(JSON.parse(output) as Filled));
  });
}

function expectWhole(dir: string, acknowledged: number): void {
  put(open(dir), record({ after: 1 }));
  const store = open(dir);
  expect(store.readSync(['n']).get('n')).toBe(acknowledged);
  expect([...store.scanSync()].filter(({ type }) => type === 'test').length).toBe(acknowledged + 1);
  expect(verifyLedger(dir, { now: clock() }).ok).toBe(true);
}

const canLimit = spawnSync('prlimit', ['--fsize=100000', 'true']).status === 0;

describe.skipIf(!canLimit)('a write that the file size limit cuts short', () => {
  test.each([20_000, 20_001, 20_077, 33_333])('is no commit: limit %d', (limit) =>
    withDir(async (dir) => {
      const { acknowledged, code } = await filled('prlimit', [
        `--fsize=${limit}`,
        process.execPath,
        program,
        dir,
      ]);
      expect([code, acknowledged > 10]).toEqual(['GUARD_ERR_FULL', true]);
      expectWhole(dir, acknowledged);
    }),
  );
});

/** A separate file system, if this user may mount one. */
async function withTmpfs(size: string, use: (dir: string) => Promise<void>): Promise<boolean> {
  return withDir(async (base) => {
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', base]).status !== 0)
      return false;
    try {
      await use(base);
      return true;
    } finally {
      spawnSync('umount', [base]);
    }
  });
}

describe('a disk that is full', () => {
  test.each(['160k', '208k', '272k'])(
    'refuses writes, loses none, and goes on when there is room: %s',
    async (size) => {
      const ran = await withTmpfs(size, async (base) => {
        const dir = `${base}/state`;
        mkdirSync(dir, { mode: 0o700 });
        writeFileSync(`${base}/ballast`, Buffer.alloc(16 * 1024));
        const { acknowledged, code } = await filled(process.execPath, [program, dir]);
        expect([code, acknowledged > 10]).toEqual(['GUARD_ERR_FULL', true]);
        expect(statfsSync(base).bavail).toBeLessThan(3);
        rmSync(`${base}/ballast`);
        expectWhole(dir, acknowledged);
      });
      if (!ran) console.warn('SKIPPED: no tmpfs can be mounted here, so no disk was full.');
    },
  );
});

const isRoot = process.getuid?.() === 0;

test.skipIf(isRoot)('a directory that may not be written refuses writes, and can be read', () =>
  withDir((dir) => {
    put(open(dir), record({ k: 1 }));
    for (const name of files(dir)) chmodSync(`${dir}/${name}`, 0o400);
    chmodSync(dir, 0o500);
    try {
      expect(failure(() => put(open(dir), record({ k: 2 }))).code).toBe('GUARD_ERR_IO');
      expect(open(dir).readSync(['k']).get('k')).toBe(1);
    } finally {
      chmodSync(dir, 0o700);
    }
  }),
);
