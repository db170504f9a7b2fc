import { readFileSync } from 'node:fs';
import { wrong } from '../../operations/read-input.ts';

/** @throws GuardError GUARD_ERR_USAGE if it cannot be read */
export function planText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw wrong('plan', `The plan cannot be read: ${reason}.`);
  }
}
