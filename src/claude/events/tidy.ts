/** Keeps the ledger short without anybody waiting for it: a process of its own, started when a session starts. */
import { guardRoot } from '../../install/guard-root.ts';
import { compactIsDue } from '../../store/embedded/compact.ts';
import type { Place } from '../scene.ts';

export function compactIfDue({ repo, state_dir }: Place): void {
  if (!compactIsDue(state_dir)) return;
  // Loaded here: node:child_process costs a cold hook 2 ms, and this is rare.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const which = repo.initialised ? [] : ['--user'];
  const args = [`${guardRoot()}/bin/guard.mjs`, 'compact', '--if-due', ...which];
  const child = spawn(process.execPath, args, { cwd: repo.root, detached: true, stdio: 'ignore' });
  // A ledger that stays long is no failure of the session's start.
  child.on('error', () => undefined);
  child.unref();
}
