/**
 * Whether commands run in fences of a repository. Each fence has a file (fence/fence.pl): named after its namespace, with who
 * runs in it and the process that began it. Those in which nobody runs any more are removed.
 */
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { runDir, textOrEmpty } from './site.ts';

export function isAnyRunning(state_dir: string): boolean {
  const dir = runDir(state_dir);
  const fences = namesIn(dir).filter((name) => /^\d+$/.test(name));
  if (fences.length === 0) return false;
  const led = fences.filter((name) => namespaceOf(leaderOf(`${dir}/${name}`)) === name);
  if (led.length > 0) return true;
  // The shell is gone; what it left in the background may not be.
  const inhabited = new Set(
    namesIn('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(namespaceOf),
  );
  for (const name of fences) if (!inhabited.has(name)) rmSync(`${dir}/${name}`, { force: true });
  return fences.some((name) => inhabited.has(name));
}

/** The second of its parts. */
const leaderOf = (file: string): string => textOrEmpty(file).split('\0')[1] ?? '';

function namespaceOf(pid: string): string {
  try {
    return /\d+/.exec(readlinkSync(`/proc/${pid}/ns/mnt`))?.[0] ?? '';
  } catch {
    // It ended, or belongs to somebody else.
    return '';
  }
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
