import { realpathSync } from 'node:fs';
import { checking, ok, warn } from '../check.ts';
import { guardLines } from '../hook-lines.ts';
import { everywhere, inWorkspaces, workspaceFiles } from '../workspaces.ts';

/** Hooks of project and local settings do not run in a session started in a subdirectory; those of the user do. */
export const startDirectory = checking('start_directory', ({ cwd, repo, settings }) => {
  const facts = { cwd, root: repo.root };
  const isUserWide = settings.some(({ scope, value }) => scope === 'user' && guardLines(value).length > 0);
  const workspaces = isUserWide || !repo.initialised ? [] : workspaceFiles(repo.root);
  if (workspaces.length > 0 && realpathSync(cwd) === repo.root) {
    const details = { facts: { ...facts, workspaces }, hint: everywhere(repo.root) };
    return warn(inWorkspaces(repo.root, workspaces), details);
  }
  if (isUserWide || realpathSync(cwd) === repo.root) {
    return ok(isUserWide ? 'Sessions may start anywhere' : 'This is where sessions should start', { facts });
  }
  const hint = everywhere(repo.root);
  return warn('A session started in this sub-directory would run no hooks of the project', { facts, hint });
});
