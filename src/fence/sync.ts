/**
 * Tells running fences that leases changed. A process of its own: nobody's call waits for it, and it joins other
 * processes' namespaces, which one with threads cannot.
 */
import { isAnyRunning } from './running.ts';
import { argsFor, type FenceOn, heldFile, runDir } from './site.ts';

/** After what is being done now, outside of the ledger's lock. Nothing where no command runs in a fence. */
export function syncSoon(state_dir: string, on: FenceOn): void {
  if (on.helper.kind !== 'perl' || !isAnyRunning(state_dir)) return;
  let done = false;
  const once = (): void => {
    if (!done) startSync(state_dir, on);
    done = true;
  };
  // A hook ends before its event loop turns if it is told to exit.
  setImmediate(once);
  process.once('exit', once);
}

function startSync(state_dir: string, { helper, mode }: FenceOn): void {
  // Loaded here: node:child_process costs a cold hook 2 ms.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const args = [...argsFor(helper.file), 'sync', heldFile(state_dir), runDir(state_dir), mode];
  const child = spawn(helper.program, args, { detached: true, stdio: 'ignore', cwd: '/' });
  child.on('error', () => undefined);
  child.unref();
}
