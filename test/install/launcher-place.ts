/** Repositories that contain the launcher, and programs that only report who they are. */
import { cpSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LAUNCHER, PROJECT_HOOK_COMMAND } from '../../src/install/command.ts';
import { markPlace } from '../../src/repo/known/marking.ts';
import { INSTALL } from '../repo/scratch.ts';
import { PACKAGE, plainEnv, put, type Ran, run, scratchDir } from './scratch.ts';

export const SOURCE = join(PACKAGE, 'hooks', 'guard-hook.cjs');
export const WRITE = {
  hook_event_name: 'PreToolUse',
  tool_name: 'Write',
  tool_input: { file_path: '/r/a.ts' },
};

/** A guard that only prints its location and its input. */
export function fakeGuard(dir: string, name = 'guard'): string {
  put(join(dir, 'package.json'), JSON.stringify({ name }));
  put(
    join(dir, 'dist', 'hook.cjs'),
    `process.stdout.write('hook of ' + ${JSON.stringify(dir)} + ' ' + require('fs').readFileSync(0, 'utf8').length);`,
  );
  return dir;
}

export function project(dir: string): string {
  mkdirSync(join(dir, '.claude'), { recursive: true });
  cpSync(SOURCE, join(dir, LAUNCHER));
  return dir;
}

export function launcherPlace() {
  const base = scratchDir();
  const home = join(base, 'home');
  mkdirSync(home);
  return {
    base,
    home,
    /** Leaves the state that `guard init` would, for the user whose home is `home`. */
    install: (state_dir: string, guard_root: string): void => {
      mkdirSync(state_dir, { recursive: true, mode: 0o700 });
      const root = dirname(state_dir);
      const common_dir = basename(state_dir) === 'guard' ? root : null;
      markPlace({ state_dir, root, common_dir }, { HOME: home }, { ...INSTALL, guard_root });
    },
    /** Runs the committed entry as the client does. */
    fire: (dir: string, input: unknown, env: Record<string, string> = { CLAUDE_PROJECT_DIR: dir }): Ran => {
      const text = typeof input === 'string' ? input : `${JSON.stringify(input)}\n`;
      return run('/bin/sh', ['-c', PROJECT_HOOK_COMMAND], {
        cwd: dir,
        env: plainEnv(home, env),
        input: text,
      });
    },
  };
}
