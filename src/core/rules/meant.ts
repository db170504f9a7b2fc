import { leaseIn } from '../lease-scope.ts';
import type { RepoPath } from '../types.ts';
import type { ScopedPattern } from './reserved.ts';
import type { Seeing } from './transaction.ts';

/** What a file name or glob refers to: as written, and in the repository. */
export interface Meant extends ScopedPattern {
  readonly file: string;
  /** Set for a single file. */
  readonly path: RepoPath | null;
}

/** The same under the names that leases and reservations use. */
export const meantIn = ({ changes }: Pick<Seeing, 'changes'>, meant: Meant): Meant => ({
  ...meant,
  scope: leaseIn(changes, meant.scope),
  path: meant.path === null ? null : leaseIn(changes, meant.path),
});
