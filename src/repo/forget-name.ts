import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { cloneNamed, LEDGER_POINTER } from './clones.ts';
import { textOf } from './small-file.ts';

/** Machines share its ledger no more, or it is a copy. What leads to the ledger of another clone stays. */
export function forgetName(state_dir: string): void {
  const file = join(state_dir, LEDGER_POINTER);
  if (cloneNamed(textOf(file)) !== undefined) rmSync(file, { force: true });
}
