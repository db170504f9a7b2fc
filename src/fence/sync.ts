/**
 * Notifies running fences that leases have changed. This is a separate process, because no call should wait for it, and
 * because it joins the namespaces of other processes, which a multi-threaded process cannot do.
 */
import { isAnyRunning } from './running.ts';
import { argsFor, type FenceOn, heldFile, runDir } from './site.ts';

/** Runs after the current work, outside the ledger's lock. Does nothing if no command runs in a fence. */
export function syncSoon(state_dir: string, on: FenceOn): void {
  if (on.helper.kind !== 'perl' || !isAnyRunning(state_dir)) return;
  let done = false;
  const once = (): void => {
    if (!done) startSync(state_dir, on);
    done = true;
  };
  // A hook that is told to exit ends before its event loop turns.
  setImmediate(once);
  process.once('exit', once);
}

function startSync(state_dir: string, { helper, mode }: FenceOn): void {
  // Loaded here, because node:child_process costs a cold hook 2 ms.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const args = [...argsFor(helper.file), 'sync', heldFile(state_dir), runDir(state_dir), mode];
  const child = spawn(helper.program, args, { detached: true, stdio: 'ignore', cwd: '/' });
  child.on('error', () => undefined);
  child.unref();
}
