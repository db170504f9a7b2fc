/** Around every command: what git's logs gained while it ran is the work of its agent. */
import { locateRepo } from '../../repo/locate.ts';
import { checkoutOf } from '../../git/place.ts';
import { gitMarks, madeSince, recordOwners } from '../../git/owners.ts';
import type { GitMarks } from '../../git/owners.ts';
import { gitWords } from '../../git/words.ts';
import type { Scene } from '../scene.ts';
import type { Command } from './command.ts';

/** Before it runs: kept until it has ended. Null: it runs in no checkout. Two small files are read. */
export function marksBefore({ env, input }: Scene): GitMarks | null {
  const at = checkoutOf(gitWords([], input.cwd), env);
  return at === null ? null : gitMarks(at);
}

const MAKES = /\bgit\b[^\n]*\b(?:stash|commit|cherry-pick|revert|am|rebase|merge|pull)\b/;

/** When it has ended: `before` is what `marksBefore` found. */
export function noteMade(scene: Scene, { line }: Command, before: GitMarks | null): void {
  if (before === null || scene.dry) return;
  const made = madeSince(before);
  if (made.length === 0) return;
  const repo = locateRepo(scene.input.cwd, scene.env);
  if (!repo.initialised) return;
  const is_sure = MAKES.test(line);
  recordOwners(
    scene.place(repo).state_dir,
    made.map((id) => ({ id, agent: scene.who.id, is_sure })),
  );
}
