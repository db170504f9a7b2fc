/** Notes for the agent whose command line may run. */
import { hasWorktrees } from '../../repo/has-worktrees.ts';
import { neighbourLines } from '../beside/look.ts';
import type { Hook, HookSpace } from '../context.ts';
import type { Asked } from './targets-of.ts';

const NAMED = 8;

export function strangersNote(found: readonly string[]): string {
  const strangers = [...new Set(found)];
  if (strangers.length === 0) return '';
  const more = strangers.length > NAMED ? ` and ${strangers.length - NAMED} more` : '';
  return (
    `guard: this command includes uncommitted changes that no agent made, as far as guard knows: ` +
    `${strangers.slice(0, NAMED).join(', ')}${more}. They may be a person's.`
  );
}

/** Who changed the files that it writes in another checkout, as before an edit. */
export const besideOf = (hook: Hook, asked: ReadonlyMap<HookSpace, Asked>): readonly string[] =>
  [...asked].flatMap(([space, { files }]) =>
    hasWorktrees(space.repo)
      ? neighbourLines(
          hook,
          files.filter(({ is_written }) => is_written).map(({ file }) => ({ target: file, space })),
        )
      : [],
  );
