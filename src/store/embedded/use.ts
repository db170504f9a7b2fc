/** One use of the ledger: opened under a lock that is held, closed and freed whatever happens. */
import type { Now } from '../../core/types.ts';
import { asFailure } from '../failure.ts';
import { attach } from './attach.ts';
import type { AttachOptions } from './attach.ts';
import { closeFiles } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import type { Held } from './lock.ts';

/** A store's place and how it is written. */
export interface Place {
  readonly dir: string;
  readonly now: () => Now;
  readonly durable: boolean;
  readonly segment_bytes: number;
}

export function useLedger<T>(
  place: Place,
  held: Held,
  writable: boolean,
  use: (ledger: Ledger, options: AttachOptions) => T,
): T {
  const { dir, durable, segment_bytes } = place;
  try {
    const options = { dir, writable, durable, segment_bytes, now: place.now(), home: held.ino };
    const ledger = attach(options);
    try {
      return use(ledger, options);
    } finally {
      closeFiles(ledger);
    }
  } catch (error) {
    throw asFailure(error, `use the ledger in ${dir}`, { path: dir });
  } finally {
    held.free();
  }
}
