/**
 * The ledger of a clone's own while the clone shares another one. Its lock file is put aside, so a process that still
 * takes it for the clone's ledger finds a copy, and is refused instead of granted something.
 */
import { existsSync, renameSync, statSync } from 'node:fs';
import { alone, list, segmentName } from '../../store/upkeep.ts';

const lockIn = (dir: string): string => `${dir}/lock`;
const asideIn = (dir: string): string => `${dir}/lock.moved`;

/** Differs after every record. */
export function ownEnd(dir: string): string {
  const [last] = list(dir).segments.slice(-1);
  return last === undefined ? '' : `${last} ${statSync(`${dir}/${segmentName(last)}`).size}`;
}

/** @returns false, with nothing done, if the ledger has grown beyond `end` */
export function closeOwn(dir: string, end: string): boolean {
  let isClosed = false;
  alone(dir, () => {
    if (ownEnd(dir) !== end) return;
    renameSync(lockIn(dir), asideIn(dir));
    isClosed = true;
  });
  return isClosed;
}

/** Does nothing if it is open. */
export function reopenOwn(dir: string): void {
  if (existsSync(asideIn(dir))) renameSync(asideIn(dir), lockIn(dir));
}
