/** At the start of a session: determines whether its commands can be fenced, and if so sets up the fence. */
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { AgentId, Now, Policy } from '../core/types.ts';
import type { Repo } from '../repo/locate.ts';
import { findHelper } from './helper.ts';
import { preambleOf } from './preamble.ts';
import { noteSession, type SessionFence, sweepSessions } from './sessions.ts';
import { fenceDir, type FenceMode, readOn, runDir, writeOn } from './site.ts';
import { syncSoon } from './sync.ts';

export interface FenceStart {
  readonly repo: Repo;
  readonly state_dir: string;
  readonly policy: Policy;
  readonly fence: 'auto' | 'required';
  readonly mode: FenceMode;
  /** guard's own `fence/` directory. */
  readonly home: string;
  readonly session: string;
  readonly main: AgentId;
  /** `CLAUDE_ENV_FILE`; absent in clients that have none. */
  readonly env_file: string | undefined;
  readonly path: string | undefined;
  readonly now: Now;
}

/** @param hold writes the list of what is held */
export function startFence(start: FenceStart, hold: () => void): SessionFence {
  mkdirSync(runDir(start.state_dir), { recursive: true, mode: 0o700 });
  sweepSessions(start.state_dir, start.now.wall_ms);
  const fence = fenced(start, hold);
  noteSession(start.state_dir, start.session, fence);
  return fence;
}

function fenced(start: FenceStart, hold: () => void): SessionFence {
  const { env_file, state_dir, home, main, mode, repo, policy } = start;
  if (env_file === undefined || env_file === '')
    return { by: null, why: 'the client names no environment file', remedy: 'Update Claude Code.' };
  // The helper compares it with the mount paths that the kernel reports.
  const dir = realpathSync.native(fenceDir(state_dir));
  const { arch, platform } = process;
  const is_required = start.fence === 'required';
  const found = findHelper({ home, dir, path: start.path, mode, is_required, platform, arch });
  if (found.helper === null) return { by: null, why: found.why, remedy: found.remedy };
  const { helper } = found;
  const line = preambleOf({ home, dir, main, helper, mode });
  if (line === null) return { by: null, why: 'a path cannot be passed to a shell', remedy: '' };
  const { root, common_dir, worktree, joined, clone } = repo;
  writeOn(state_dir, {
    v: 1,
    repo: { root, common_dir, worktree, state_dir, ...(joined && { joined }), ...(clone && { clone }) },
    policy,
    helper,
    mode,
  });
  hold();
  // Not appended, because a resumed session gets the same file again.
  writeFileSync(env_file, line);
  return { by: helper.kind };
}

/** For when the configuration turns the fence off. Releases what runs in a fence: a server started earlier must not stay in it. */
export function stopFence(state_dir: string): void {
  const on = readOn(state_dir);
  for (const name of ['on', 'held', 'late', 'for'])
    rmSync(`${fenceDir(state_dir)}/${name}`, { recursive: true, force: true });
  if (on !== null) syncSoon(state_dir, on);
}
