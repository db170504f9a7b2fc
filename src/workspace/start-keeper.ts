// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** On a shared ledger a server sends this machine's signs of life (src/warm/keeper.ts). Starts one if there is none. */
import { spawn } from 'node:child_process';
import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { loadWarm } from '../config/warm.ts';
import { wallMs } from '../repo/clock.ts';
import type { Repo } from '../repo/locate.ts';
import { packageRoot } from '../repo/native.ts';
import type { Environment } from '../repo/user-dirs.ts';

/** Three times the keeper's interval. */
const SILENT_MS = 30_000;

const markIn = (state_dir: string): string => `${state_dir}/warm/keeper`;

/** Notes that a keeper is running, or was just started. */
export function markKeeper(state_dir: string): void {
  const now_s = wallMs() / 1000;
  attempt(() => utimesSync(markIn(state_dir), now_s, now_s), undefined);
}

/** No one waits for it and nothing depends on it. With `warm: false` in a configuration, none is started. */
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
