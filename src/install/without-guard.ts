/** Removes guard from one file of any kind that `guard init` changes. */
import { basename } from 'node:path';
import { LAUNCHER, MCP_FILE } from './command.ts';
import { type FileChange, findFile } from './file-change.ts';
import { removeGitHook } from './git-hook/remove.ts';
import { GIT_HOOK_NAMES, legacyName } from './git-hook/script.ts';
import { isWholeFile, WHOLE_FILE } from './hosts/whole.ts';
import { LAUNCHER_FILE } from './launcher.ts';
import { removeOwn } from './own-file.ts';
import { removeServer } from './mcp-file.ts';
import { unhookSettings } from './settings-change.ts';
import type { UndoEntry } from './undo.ts';

export const HOOK_NAMES: readonly string[] = GIT_HOOK_NAMES.flatMap((name) => [name, legacyName(name)]);

export function withoutGuard(path: string, entry: UndoEntry | undefined): FileChange {
  if (HOOK_NAMES.includes(basename(path))) return removeGitHook(path);
  const found = findFile(path);
  if (isWholeFile(path)) return removeOwn(found, entry, WHOLE_FILE);
  if (basename(path) === MCP_FILE) return removeServer(found, entry);
  return path.replaceAll('\\', '/').endsWith(`/${LAUNCHER}`)
    ? removeOwn(found, entry, LAUNCHER_FILE)
    : unhookSettings(found, entry);
}
