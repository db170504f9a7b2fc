/** A slow git: it reads a repository's exclude patterns from a pipe to which nothing is written for a while. */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { onTestFinished } from 'vitest';
import type { Scratch } from '../driver.ts';

/** From now on, each git that lists untracked or ignored files waits until `after_ms` have passed. */
export function slowGit(at: Scratch, after_ms: number): void {
  const pipe = at.path('.git/info/exclude');
  fs.rmSync(pipe, { force: true });
  fs.mkdirSync(at.path('.git/info'), { recursive: true });
  execFileSync('mkfifo', [pipe]);
  const script = `sleep ${String(after_ms / 1000)}; while [ -p "$1" ]; do : > "$1"; done`;
  const writer = spawn('/bin/sh', ['-c', script, 'sh', pipe], { stdio: 'ignore' });
  onTestFinished(() => {
    writer.kill('SIGKILL');
  });
}
