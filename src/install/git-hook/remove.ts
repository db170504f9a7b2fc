/** The file change for removing one of guard's git hooks. */
import { basename, dirname, join } from 'node:path';
import type { FileChange } from '../file-change.ts';
import { hookFile } from './find.ts';
import { GIT_HOOK_NAMES, legacyName, nextName } from './script.ts';

/** Restores exactly what was there before by renaming it, so mode, owner and link are kept. */
export function removeGitHook(path: string): FileChange {
  const hook = hookFile(path);
  const name = GIT_HOOK_NAMES.find((one) => basename(path) === one || basename(path) === legacyName(one));
  if (name === undefined) return { found: hook, after: hook.bytes };
  const next = hookFile(join(dirname(path), nextName(name)));
  const isGone = !hook.exists && basename(path) === name;
  if (!hook.is_guards && !isGone) return { found: hook, after: hook.bytes };
  return { found: hook, after: next.bytes, ...(next.exists ? { back_from: next.path } : {}) };
}
