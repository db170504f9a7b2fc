/** The end of a write whose outcome cannot be determined now, as when a shared ledger is away: it is kept, or lost. */
import { afterWrite } from '../../core/rules/knowledge.ts';
import type { WrittenFile } from '../../core/rules/write-end.ts';
import type { HookSpace } from '../context.ts';

interface OwnWrite {
  readonly space: HookSpace;
  readonly turn: number;
  readonly written: readonly WrittenFile[];
}

/** Otherwise the agent's next write would be denied for a change of its own. @throws whatever `end` throws */
export function evenIfUnsure<T>(own: OwnWrite, end: () => T): T {
  try {
    return end();
  } catch (error) {
    own.written.forEach((file) => noteOwn(own, file));
    throw error;
  }
}

/** The agent knows the content if it knew what it replaced. */
function noteOwn({ space, turn }: OwnWrite, { path, digest, content, original }: WrittenFile): void {
  const before = space.baselines.read(path);
  if (before === null || before.knows === 'unverified' || content === 'differs' || digest === null) return;
  if (original({ digest: before.digest, form: null }) === 'same')
    // If the ledger could not tell the turn, it is taken for the first.
    space.baselines.write(path, afterWrite(Math.max(turn, before.turn), digest, true, null));
}
