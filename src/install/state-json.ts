import { join } from 'node:path';
import { replaceTarget } from './file-change.ts';

/** Writes a small file of guard's own in a state directory: readable only by its owner, replaced atomically. */
export function writeStateJson(stateDir: string, name: string, value: unknown): void {
  replaceTarget(join(stateDir, name), Buffer.from(`${JSON.stringify(value, null, 2)}\n`), 0o600);
}
