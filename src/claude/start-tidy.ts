// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Starts a process that tidies up, without waiting for it. */
import { guardRoot } from '../install/guard-root.ts';
import type { HookSpace } from './context.ts';

/** @param how an option of `guard compact` */
export function startTidy({ repo }: Pick<HookSpace, 'repo'>, how: '--if-due' | '--contents'): void {
  // Loaded here: node:child_process costs a cold hook 2 ms, and this is rare.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const which = repo.initialised ? [] : ['--user'];
  const args = [`${guardRoot()}/bin/guard.cjs`, 'compact', how, ...which];
  const child = spawn(process.execPath, args, { cwd: repo.root, detached: true, stdio: 'ignore' });
  // Data that is not tidied up is not a failure of the hook.
  child.on('error', () => undefined);
  child.unref();
}
