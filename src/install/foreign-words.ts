import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { forgetName } from '../repo/forget-name.ts';
import type { Repo } from '../repo/locate.ts';
import { OFF_FILE } from './off.ts';
import { UNDO_FILE } from './undo.ts';
import { VETO_PASS_FILE } from './veto-pass.ts';

/** Removes what others may have left to be trusted: a pause, a pass, an undo book, and in a copy the original clone's name. */
export function dropForeignWords({ state_dir }: Pick<Repo, 'state_dir'>, is_own: boolean): void {
  if (!is_own) forgetName(state_dir);
  for (const name of [OFF_FILE, VETO_PASS_FILE, UNDO_FILE]) {
    const file = join(state_dir, name);
    const uid = lstatSync(file, { throwIfNoEntry: false })?.uid;
    if (uid !== undefined && (!is_own || uid !== (process.getuid?.() ?? uid)))
      rmSync(file, { force: true, recursive: true });
  }
}
