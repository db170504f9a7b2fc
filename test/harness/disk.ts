/** Disks that fill up quickly. Available only to users who may mount one. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Scratch, setUpBy } from '../claude/driver.ts';
import { scratchDir } from '../install/scratch.ts';

export const canMount = process.platform === 'linux' && process.getuid?.() === 0;

const CHUNK = Buffer.alloc(4096, 'x');

export interface SmallDisk {
  readonly fill: () => void;
  readonly free: () => void;
}

/** A separate file system at `dir` that contains what was there before. */
export function mounted(dir: string, size: string): SmallDisk {
  const before = scratchDir('guard-before-');
  cpSync(dir, before, { recursive: true });
  const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', dir]);
  expect(made.status, String(made.stderr)).toBe(0);
  onTestFinished(() => void spawnSync('umount', ['-l', dir]));
  cpSync(before, dir, { recursive: true });
  const ballast = join(dir, 'ballast');
  return {
    free: () => rmSync(ballast, { force: true }),
    fill() {
      for (;;)
        try {
          appendFileSync(ballast, CHUNK);
        } catch {
          return;
        }
    },
  };
}

/** Puts the repository's ledger and logs on such a disk. */
export function smallDisk(at: Scratch, size: string): SmallDisk {
  const disk = mounted(at.state, size);
  // It is a different directory now.
  setUpBy(at, at);
  return disk;
}
