/** How much of files and of the ledger is kept, as each configuration has it; who may say so is in core. */
import type { ArchiveLayer } from '../core/archive-limits.ts';
import type { UndoLayer } from '../core/undo-limits.ts';

/** For `undoLimits` and `archiveLimits`: the user's own word first, those of others behind it. */
export interface KeptLayers {
  readonly undo: readonly (UndoLayer | undefined)[];
  readonly archive_keep: readonly (ArchiveLayer | undefined)[];
}
