/**
 * Whether any commands run in fences of a repository. Each fence has a file (fence/fence.pl) named after its namespace,
 * which contains who runs in it and the process that started it. Files of fences that are certainly empty are removed.
 */
import { readlinkSync, rmSync, statSync } from 'node:fs';
import { runDir, textOrEmpty } from './site.ts';
import { namesIn } from '../repo/names-in.ts';

export function isAnyRunning(state_dir: string): boolean {
  const dir = runDir(state_dir);
  const fences = namesIn(dir).filter((name) => /^\d+$/.test(name));
  if (fences.length === 0) return false;
  const led = fences.filter((name) => namespaceOf(leaderOf(`${dir}/${name}`)) === name);
  if (led.length > 0) return true;
  // The shell has ended, but processes that it left in the background may not have.
  const pids = namesIn('/proc').filter((name) => /^\d+$/.test(name));
  const inhabited = new Set(pids.map(namespaceOf));
  if (!inhabited.has(HIDDEN))
    for (const name of fences) if (!inhabited.has(name)) rmSync(`${dir}/${name}`, { force: true });
  return fences.some((name) => inhabited.has(name));
}

/** Inside a fence, an unprivileged user may not see the namespaces of processes outside. They may be running nevertheless. */
const HIDDEN = 'hidden';

/** The second of its fields. */
const leaderOf = (file: string): string => textOrEmpty(file).split('\0')[1] ?? '';

function namespaceOf(pid: string): string {
  try {
    return /\d+/.exec(readlinkSync(`/proc/${pid}/ns/mnt`))?.[0] ?? '';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' && isOwn(pid) ? HIDDEN : '';
  }
}

/** /proc shows processes that may not be examined as root's, no matter which user runs them. */
function isOwn(pid: string): boolean {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === process.geteuid?.();
}
