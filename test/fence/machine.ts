/** What a test needs from this machine. GUARD_FENCE_REQUIRED=1 turns skipped tests into failures. */
import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';
import { PACKAGE } from '../claude/driver.ts';

export const FENCE = `${PACKAGE}/fence`;

const isRequired = process.env['GUARD_FENCE_REQUIRED'] === '1';

export function hasProgram(name: string): boolean {
  const found = spawnSync('/bin/sh', ['-c', `command -v ${name}`]).status === 0;
  if (!found) missing(`${name} is not installed`);
  return found;
}

function missing(what: string): void {
  if (isRequired) throw new Error(`GUARD_FENCE_REQUIRED: ${what}`);
  console.warn(`SKIPPED: ${what}`);
}

let builds: boolean | undefined;

/** Whether the first helper can build a fence here. */
export function canFence(): boolean {
  if (builds !== undefined) return builds;
  const { status, stdout } = spawnSync('perl', [`${FENCE}/fence.pl`, 'probe', '/tmp']);
  builds = status === 0;
  if (!builds) missing(`no fence can be built: ${String(stdout).trim()}`);
  return builds;
}

export const describeFenced = describe.skipIf(!canFence());
