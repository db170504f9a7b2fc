/** Scratch directories, git repositories and the real command line for the installer's tests. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { runNow } from '../claude/driver/process.ts';
import { sweep } from '../claude/driver/sweep.ts';

export { git, gitRepo, put } from '../repo/scratch.ts';

export const PACKAGE = join(import.meta.dirname, '..', '..');
export const PROGRAM = join(PACKAGE, 'bin', 'guard.cjs');

/** Canonical; removed after the test file. The name has blanks and quotes, as real ones do. */
export function scratchDir(name = "guard o'install "): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), name)));
  afterAll(() => sweep(dir));
  return dir;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A separate environment: no Claude session, no user settings, no `claude` on PATH. */
export function plainEnv(home: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  // This Node's directory comes first, because the agents' command depends on it.
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    LANG: 'C.UTF-8',
    ...more,
  };
}

export function run(
  file: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string>; input?: string },
): Ran {
  const { cwd, env, input = '' } = options;
  const { exit, stdout, stderr } = runNow({
    program: file,
    args,
    cwd,
    env,
    stdin: input,
    timeout_ms: 60_000,
  });
  return { code: exit, stdout, stderr };
}

/** The real program, as a user starts it. */
export function guard(cwd: string, env: Record<string, string>, ...args: string[]): Ran {
  return run(process.execPath, [PROGRAM, ...args], { cwd, env });
}

/** The same without blocking, for races. */
export function exitCode(
  cwd: string,
  env: Record<string, string>,
  ...args: string[]
): Promise<number | null> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, env, stdio: 'ignore' });
  return new Promise((resolve) => child.on('close', resolve));
}

export const text = (file: string): string => readFileSync(file, 'utf8');

export const json = (file: string): unknown => JSON.parse(text(file).replace('\uFEFF', ''));
