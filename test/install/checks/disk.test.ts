import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Patient } from '../../../src/install/check.ts';
import { disk } from '../../../src/install/checks/disk.ts';

const mount = (...args: readonly string[]): boolean =>
  spawnSync('mount', args, { stdio: 'ignore' }).status === 0;

let state_dir = '';
let isMounted = false;

beforeEach(() => {
  state_dir = mkdtempSync(join(tmpdir(), 'guard-disk-'));
  isMounted = mount('-t', 'tmpfs', '-o', 'size=256k,mode=0700', 'tmpfs', state_dir);
});

afterEach(() => {
  if (isMounted) spawnSync('umount', [state_dir]);
  rmSync(state_dir, { recursive: true, force: true });
});

const found = () => disk.run({ repo: { initialised: true, state_dir } } as unknown as Patient, []);

describe('the disk below the ledger', () => {
  it('has room, and nothing is left of the test', () => {
    expect(found()).toMatchObject([{ id: 'disk', status: 'ok' }]);
    expect(readdirSync(state_dir)).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)('is full', ({ skip }) => {
    if (!isMounted) skip('SKIPPED: no tmpfs can be mounted here, so no disk was full.');
    writeFileSync(join(state_dir, 'ballast'), Buffer.alloc(220 * 1024));
    expect(found()).toMatchObject([{ status: 'fail', facts: { errno: 'ENOSPC' } }]);
    expect(readdirSync(state_dir)).toEqual(['ballast']);
  });

  it.runIf(process.getuid?.() === 0)('is read-only', ({ skip }) => {
    if (!isMounted || !mount('-o', 'remount,ro', state_dir)) skip('SKIPPED: no tmpfs can be mounted here.');
    expect(found()).toMatchObject([{ status: 'fail', facts: { errno: 'EROFS' } }]);
  });
});
