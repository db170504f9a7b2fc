import { resolveTarget, type Target } from '../repo/canonical.ts';
import { homeOf } from '../repo/user-dirs.ts';
import type { Surroundings } from './workspace.ts';

/** Resolves a path as given to the file that it means. @throws GuardError GUARD_ERR_PATH */
export const targetIn = ({ cwd, env }: Surroundings, given: string): Target =>
  resolveTarget(given, cwd, { home: homeOf(env) });
