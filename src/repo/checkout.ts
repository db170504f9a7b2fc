/** A repository as somebody stands in it, and what is known of its state directory before it is believed. */
import type { Repo } from './repo.ts';

export interface Checkout extends Repo {
  readonly said: {
    readonly known_worktree: boolean;
    /** A state directory that belongs to this user. */
    readonly own: boolean;
    /** What says where else the ledger is, or what the clone is called there. */
    readonly pointer: string | null;
  };
}
