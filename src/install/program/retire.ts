/**
 * Removes versions that nothing can be running: neither the one in use nor the one before it, and unused for 30 days.
 * Servers (`guard mcp`, `guard serve`) and supervisors load parts of their program long after their start.
 */
import { existsSync, lstatSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { VERSIONS } from './home.ts';

const KEPT_MS = 30 * 24 * 3600_000;
/** Age limit for a copy that was never finished. */
const UNFINISHED_MS = 24 * 3600_000;

/** The directory's modification time records since when a version has been out of use. */
export function markRetired(home: string, dir: string, now_ms: number): void {
  const path = join(home, VERSIONS, dir);
  if (existsSync(path)) utimesSync(path, now_ms / 1000, now_ms / 1000);
}

/** @param kept names of the version in use and of the one before it */
export function removeRetired(home: string, kept: readonly string[], now_ms: number): readonly string[] {
  const versions = join(home, VERSIONS);
  const old = readdirSync(versions).filter((name) => {
    if (kept.includes(name)) return false;
    const age_ms = now_ms - lstatSync(join(versions, name)).mtimeMs;
    return age_ms > (name.startsWith('.') ? UNFINISHED_MS : KEPT_MS);
  });
  for (const name of old) rmSync(join(versions, name), { recursive: true, force: true });
  return old;
}
