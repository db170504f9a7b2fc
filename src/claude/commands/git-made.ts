// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Around a command that stashes or commits: the entries that git's logs gained while it ran are its agent's work. The previous
 * state of the logs is kept in one small file per agent until the command has ended.
 */
import fs from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../core/attempt.ts';
import { HARMLESS, JUDGED } from '../../git/names.ts';
import { gitMarks, type GitMarks, madeSince, recordOwners } from '../../git/owners.ts';
import { checkoutOf } from '../../git/place.ts';
import { gitWords } from '../../git/words.ts';
import { isAbsent, errnoOf } from '../../repo/errno.ts';
import { locateRepo } from '../../repo/locate.ts';
import { nameHash } from '../../repo/name-hash.ts';
import { textOf } from '../../repo/small-file.ts';
import type { GitCall } from '../../shell/effects.ts';
import { opOf } from '../events/op.ts';
import type { Hook } from '../context.ts';

const MAKES = new Set(['stash', 'commit', 'cherry-pick', 'revert', 'am', 'rebase', 'merge', 'pull']);

interface Kept {
  readonly op: string;
  readonly marks: readonly GitMarks[];
}

const dirOf = ({ home }: Hook): string => join(home.state_dir, 'git-marks');
const fileOf = (hook: Hook): string => join(dirOf(hook), `${nameHash(hook.who.id)}.json`);

/** An alias may do anything. */
const mayMake = ({ args, cwd }: GitCall): boolean => {
  const { command } = gitWords(args, cwd);
  return command === null || MAKES.has(command) || !(JUDGED.has(command) || HARMLESS.has(command));
};

/** Called before the command runs. Reads two small files of git for each checkout. */
export function keepMarks(hook: Hook, calls: readonly GitCall[]): void {
  if (hook.dry || !hook.home.repo.initialised) return;
  const making = calls.filter(mayMake);
  if (making.length === 0) return;
  const found = making.flatMap(
    ({ args, cwd, env }) => checkoutOf(gitWords(args, cwd), { ...hook.env, ...env }) ?? [],
  );
  const marks = [...new Map(found.map((at) => [at.git_dir, at])).values()].map(gitMarks);
  if (marks.length === 0) return;
  const kept: Kept = { op: opOf(hook), marks };
  fs.mkdirSync(dirOf(hook), { recursive: true, mode: 0o700 });
  fs.writeFileSync(fileOf(hook), JSON.stringify(kept), { mode: 0o600 });
}

/** Called when the command has ended, whether it succeeded or not. */
export function noteMade(hook: Hook): void {
  if (hook.dry) return;
  const file = fileOf(hook);
  const kept = keptIn(file);
  if (kept === null || kept.op !== opOf(hook)) return;
  remove(file);
  const made = kept.marks.flatMap((before) =>
    madeSince(before).map((id) => ({ id, agent: hook.who.id, is_sure: true, common_dir: before.common_dir })),
  );
  for (const one of made) {
    const repo = locateRepo(join(one.common_dir, '..'), hook.env);
    recordOwners(repo.initialised ? hook.workspace(repo).state_dir : hook.home.state_dir, [one]);
  }
}

const keptIn = (file: string): Kept | null =>
  attempt(() => JSON.parse(textOf(file, 65_536) ?? 'null') as Kept | null, null);

function remove(file: string): void {
  try {
    fs.rmSync(file);
  } catch (error) {
    if (!isAbsent(errnoOf(error))) throw error;
  }
}
