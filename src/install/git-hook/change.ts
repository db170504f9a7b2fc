/** The file changes for installing guard's git hooks. */
import { join } from 'node:path';
import { GuardError } from '../../core/error.ts';
import type { FileChange } from '../file-change.ts';
import { planned, type PlannedFile } from '../settings-change.ts';
import type { UndoEntry, UndoFiles } from '../undo.ts';
import { type GitHookFound, hookFile, type HookFile } from './find.ts';
import { callsGuard, GIT_HOOKS, gitHookLine, type GitHookName, gitHookText, legacyName } from './script.ts';

export interface WantedGitHook {
  readonly name: GitHookName;
  /** `null`: there is no git. */
  readonly found: GitHookFound | null;
}

interface GitHookWish {
  /** All others are left unchanged. */
  readonly git_hooks: readonly WantedGitHook[];
  readonly node: string;
  readonly guard_root: string;
  readonly command: string;
}

export function plannedGitHooks(
  { git_hooks, node, guard_root, command }: GitHookWish,
  undo: UndoFiles,
): readonly PlannedFile[] {
  return git_hooks.flatMap(({ name, found }) => {
    if (found === null) throw noRepository(name);
    const text = gitHookText(name, node, guard_root);
    return placeGitHook(found, text, command, undo[found.hook.target]) ?? [];
  });
}

/**
 * `null` if the hook there calls guard already, itself or because a framework moved guard's aside and calls it.
 * @param command how agents type guard, for the line to add by hand
 * @throws GuardError GUARD_ERR_SETTINGS if installing it would change what is not guard's to change
 */
function placeGitHook(
  found: GitHookFound,
  text: string,
  command: string,
  known: UndoEntry | undefined,
): PlannedFile | null {
  const { hook, next } = found;
  if (callsAlready(found)) return null;
  if (!found.is_own_dir) throw elsewhere(found, command);
  const moves = hook.exists && !hook.is_guards;
  if (moves) refuseMove(found, command);
  const before = moves ? hook.bytes : next.bytes;
  const after = Buffer.from(text);
  const is_shut = hook.bytes?.equals(after) === true && !hook.is_executable;
  const change: FileChange = {
    found: hook,
    after,
    ...(moves ? { kept_as: next.path } : {}),
    ...(is_shut ? { mode_only: true } : {}),
  };
  return { ...planned(change, before, known, { made: true, backup: null }), change };
}

export function callsAlready({ name, hook, dir }: GitHookFound): boolean {
  if (hook.is_guards || hook.bytes === null) return false;
  const text = hook.bytes.toString('utf8');
  if (callsGuard(name, text)) return true;
  return /pre-commit\.com/.test(text) && hookFile(join(dir, legacyName(name))).is_guards;
}

/** A hook with one of these reads its own name, so under another name it would behave differently. */
const NAMED_BY_ITSELF = /\bbasename\b|\$\{0##|\$PROGRAM_NAME|\bargv\[0\]|\bhusky\b|\bovercommit\b/;

function refuseMove(found: GitHookFound, command: string): void {
  const { hook, next } = found;
  if (next.exists && !isSameFile(hook, next))
    throw refusal(
      found,
      `${next.path} is in the way: guard put it aside when it was installed, and the present hook is a different one.`,
      `Remove whichever of the two is not needed, then run the command again.`,
    );
  if (hook.bytes !== null && NAMED_BY_ITSELF.test(hook.bytes.toString('latin1')))
    throw refusal(
      found,
      `${hook.path} depends on its own name, so guard cannot call it under another one.`,
      `Add this line to it: ${gitHookLine(found.name, command)}`,
    );
}

const isSameFile = (a: HookFile, b: HookFile): boolean =>
  a.bytes !== null && b.bytes !== null && a.bytes.equals(b.bytes);

const elsewhere = (found: GitHookFound, command: string): GuardError =>
  refusal(
    found,
    `git takes the hooks of this repository from ${found.dir} (core.hooksPath), which is not guard's to change.`,
    `Add this line to ${handWritten(found)}: ${gitHookLine(found.name, command)}`,
  );

/** husky rewrites `_` with every install; the hooks that people write are next to it. */
const handWritten = ({ name, dir }: GitHookFound): string =>
  `${dir.replace(/([/\\]\.husky)[/\\]_$/, '$1')}/${name} (make it executable)`;

const refusal = ({ dir }: GitHookFound, message: string, hint: string): GuardError =>
  new GuardError('GUARD_ERR_SETTINGS', message, `Nothing was changed. ${hint}`, { dir });

const noRepository = (name: GitHookName): GuardError =>
  new GuardError(
    'GUARD_ERR_SETTINGS',
    'There is no git repository here, so there is nothing to check.',
    `Leave out ${GIT_HOOKS[name].option}, or run "git init" first.`,
    {},
  );
