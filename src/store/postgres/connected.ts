/** State shared by the parts of an opened engine. */
import type { Lsn } from '../../core/ledger.ts';
import type { Line } from './line.ts';

export interface Connected {
  readonly line: Line;
  readonly repository: string;
  /** The largest number seen so far; everything committed from now on has a larger one. */
  seen(): Lsn;
  see(lsn: Lsn): void;
}

export function connected(line: Line, repository: string): Connected {
  let largest = 0;
  return {
    line,
    repository,
    seen: () => largest,
    see: (lsn) => (largest = Math.max(largest, lsn)),
  };
}
