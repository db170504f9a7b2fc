import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { cloneNamed, LEDGER_POINTER } from './clones.ts';
import { textOf } from './small-file.ts';

/** Forgets the name of a clone whose ledger is no longer shared, or is a copy. A pointer to another clone's ledger is kept. */
export function forgetName(state_dir: string): void {
  const file = join(state_dir, LEDGER_POINTER);
  if (cloneNamed(textOf(file)) !== undefined) rmSync(file, { force: true });
}
