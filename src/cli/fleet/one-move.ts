/** A clone is moved into a shared ledger, or out of it, by one process at a time. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { alone } from '../../store/upkeep.ts';

/** The ledger's own lock is put aside by the move, so it cannot keep out a second move. */
const MOVING = 'moving';

/** @throws GuardError GUARD_ERR_BUSY */
export function oneMove(state_dir: string, move: () => void): void {
  const dir = join(state_dir, MOVING);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  alone(dir, move);
}
