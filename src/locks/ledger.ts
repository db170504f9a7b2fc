/** What the lock operations use of an opened ledger; every face of guard opens it in its own way. */
import type { EventOf, EventType, Rules } from '../core/decide.ts';
import type { Baseline } from '../core/rules/baseline.ts';
import type { AgentId, Facts, RepoPath } from '../core/types.ts';
import type { Target } from '../repo/canonical.ts';
import type { Repo } from '../repo/locate.ts';
import type { Store } from '../store/store.ts';
import type { Waiters } from './waiters.ts';

export interface LockLedger {
  readonly repo: Repo;
  readonly store: Store;
  /** Everybody who waits in this process. */
  readonly waiters: Waiters;
  /** With the clocks as they are now. */
  facts(): Facts;
  /** A path as given, to the file it means in this repository. */
  target(given: string): Target;
  /** What an agent last saw of a file. Absent: this face does not know. */
  seen?(agent: AgentId, path: RepoPath): Baseline | null;
  run<T extends EventType>(event: EventOf<T>): Rules[T]['result'];
}
