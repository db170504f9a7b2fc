/**
 * Whether commands run in fences of a repository. Each fence has a file (fence/fence.pl): named after its namespace, with who
 * runs in it and the process that began it. Those in which certainly nobody runs any more are removed.
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
  // The shell is gone; what it left in the background may not be.
  const pids = namesIn('/proc').filter((name) => /^\d+$/.test(name));
  const inhabited = new Set(pids.map(namespaceOf));
  if (!inhabited.has(HIDDEN))
    for (const name of fences) if (!inhabited.has(name)) rmSync(`${dir}/${name}`, { force: true });
  return fences.some((name) => inhabited.has(name));
}

/** An unprivileged user inside of a fence may not ask where processes outside of it run. They run all the same. */
const HIDDEN = 'hidden';

/** The second of its parts. */
const leaderOf = (file: string): string => textOrEmpty(file).split('\0')[1] ?? '';

function namespaceOf(pid: string): string {
  try {
    return /\d+/.exec(readlinkSync(`/proc/${pid}/ns/mnt`))?.[0] ?? '';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' && isOwn(pid) ? HIDDEN : '';
  }
}

/** What must not be looked into, of whoever it is, belongs to root. */
function isOwn(pid: string): boolean {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === process.geteuid?.();
}
