/** A repository as found from a directory, and what is known about its state directory before it is trusted. */
import type { Repo } from './repo.ts';

export interface Checkout extends Repo {
  readonly said: {
    readonly known_worktree: boolean;
    /** The state directory belongs to this user. */
    readonly own: boolean;
    /** What says where else the ledger is, or what the clone is called there. */
    readonly pointer: string | null;
  };
}
