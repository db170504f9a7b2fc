import { isStandalone } from '../repo/standalone.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { findOnPath } from './find-on-path.ts';
import type { Scope } from './scopes.ts';

/** After an install by a standalone binary, which can run without the Node that the hooks of scope project start. */
export function nodeNote(scope: Scope, env: Environment): string | null {
  if (!isStandalone() || scope === 'user' || findOnPath('node', env['PATH']) !== null) return null;
  return scope === 'project'
    ? 'The hooks of scope project start "node", which is not on PATH: here, they deny every write. Those of scope local start this binary: guard init --scope local'
    : 'The hooks start this binary. Those of scope project, which a team commits, start "node", which is not on PATH here.';
}
