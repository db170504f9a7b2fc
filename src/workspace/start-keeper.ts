// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** On a ledger that machines share this machine's signs of life are a server's business (src/warm/keeper.ts): it is started where there is none. */
import { spawn } from 'node:child_process';
import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { loadWarm } from '../config/warm.ts';
import { wallMs } from '../repo/clock.ts';
import type { Repo } from '../repo/locate.ts';
import { packageRoot } from '../repo/native.ts';
import type { Environment } from '../repo/user-dirs.ts';

/** Three times as long as a keeper leaves between two looks. */
const SILENT_MS = 30_000;

const markIn = (state_dir: string): string => `${state_dir}/warm/keeper`;

/** That one is there, or was started a moment ago. */
export function markKeeper(state_dir: string): void {
  const now_s = wallMs() / 1000;
  attempt(() => utimesSync(markIn(state_dir), now_s, now_s), undefined);
}

/** Nobody waits for it, and nothing depends on it. `warm: false` in a configuration: there is none. */
export function startKeeper(repo: Repo, env: Environment): void {
  const { root, state_dir } = repo;
  const mark = markIn(state_dir);
  const seen_ms = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Math.abs(wallMs() - seen_ms) < SILENT_MS || process.platform === 'win32') return;
  if (loadWarm({ repo, env }).warm === false) return;
  mkdirSync(`${state_dir}/warm`, { recursive: true, mode: 0o700 });
  writeFileSync(mark, '', { mode: 0o600 });
  markKeeper(state_dir);
  const program = `${packageRoot(import.meta.filename)}/dist/serve-hooks.cjs`;
  const args = [program, state_dir, root];
  const child = spawn(process.execPath, args, { cwd: '/', detached: true, stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
}
