import { existsSync, lstatSync } from 'node:fs';
import { isGuardError } from '../../core/error.ts';
import { requireBelieved } from '../../repo/known/belief.ts';
import { checkStateDir, readInstall } from '../../repo/state-dir.ts';
import { checking, fail, ok, type Patient } from '../check.ts';

export const stateDir = checking('state_dir', ({ repo, env }) => {
  const facts = { dir: repo.state_dir, root: repo.root };
  if (!repo.initialised) {
    return fail(`${repo.root} is not set up for guard`, { facts, hint: 'Run: guard init' });
  }
  try {
    // Gone comes first: a directory that is not there has no mode.
    if (!existsSync(repo.state_dir)) requireBelieved(repo, env);
    checkStateDir(repo.state_dir);
    readInstall(repo.state_dir);
    requireBelieved(repo, env);
    return ok(`State directory ${repo.state_dir}`, { facts });
  } catch (error) {
    if (!isGuardError(error)) throw error;
    const fixable = error.code === 'GUARD_ERR_STATE_DIR' && isOursButOpen(repo);
    return fail(error.message, { facts: { ...facts, code: error.code }, hint: error.hint, fixable });
  }
});

/** The only damage that can be put right without knowing who did it: our directory, readable by others. */
export function isOursButOpen({ state_dir }: Pick<Patient['repo'], 'state_dir'>): boolean {
  const stat = lstatSync(state_dir, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o077) !== 0;
}
