import { existsSync } from 'node:fs';
import { unlessRefused } from '../../core/attempt.ts';
import { requireBelieved } from '../../repo/known/belief.ts';
import { checkStateDir, readInstall } from '../../repo/state-dir.ts';
import { checking, fail, type Finding, ok } from '../check.ts';
import { isOursButOpen } from '../kept-state.ts';

export const stateDir = checking('state_dir', ({ repo, env }) => {
  const facts = { dir: repo.state_dir, root: repo.root };
  if (!repo.initialised) {
    return fail(`${repo.root} is not set up for guard`, { facts, hint: 'Run: guard init' });
  }
  const look = (): Finding => {
    // Existence is checked first: a missing directory has no mode.
    if (!existsSync(repo.state_dir)) requireBelieved(repo, env);
    checkStateDir(repo.state_dir);
    readInstall(repo.state_dir);
    requireBelieved(repo, env);
    return ok(`State directory ${repo.state_dir}`, { facts });
  };
  return unlessRefused(look, ({ code, message, hint }) => {
    const fixable = code === 'GUARD_ERR_STATE_DIR' && isOursButOpen(repo);
    return fail(message, { facts: { ...facts, code }, hint, fixable });
  });
});
