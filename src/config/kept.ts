/** How much of files and of the ledger each configuration keeps; src/core decides which configuration may say so. */
import type { ArchiveLayer } from '../core/archive-limits.ts';
import type { UndoLayer } from '../core/undo-limits.ts';

/** For `undoLimits` and `archiveLimits`: the user's own layer first, then the others. */
export interface KeptLayers {
  readonly undo: readonly (UndoLayer | undefined)[];
  readonly archive_keep: readonly (ArchiveLayer | undefined)[];
}
