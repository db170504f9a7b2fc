/** Why an agent may not write a file. The full check runs only for files that may be protected. */
import fs from 'node:fs';
import { mayBeProtected } from '../core/policy/may-be-protected.ts';
import type { Target } from '../repo/canonical.ts';
import { userConfigFile } from '../repo/user-dirs.ts';
import { whyProtectedHere } from './protected.ts';
import type { Hook } from './context.ts';

/** For files checked together: null for an ordinary one. */
export function refusals(hook: Hook): (file: Target) => string | null {
  let is_configured: boolean | undefined;
  return (file) => {
    const { real, abs, repo } = file;
    const dirs = [hook.home.repo.common_dir ?? '.git', ...hook.workspace(repo).config.roles_dirs];
    const isSuspect =
      mayBeProtected([real, abs], dirs) || (is_configured ??= fs.existsSync(userConfigFile(hook.env)));
    return isSuspect ? whyProtectedHere(hook, file) : null;
  };
}

/** Null for an ordinary file. */
export const whyRefused = (hook: Hook, file: Target): string | null => refusals(hook)(file);
