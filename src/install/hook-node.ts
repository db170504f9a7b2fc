import { realpathSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { nearestReal } from '../repo/nearest-real.ts';
import { isStandalone } from '../repo/standalone.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { findOnPath } from './find-on-path.ts';

interface Place {
  readonly env: Environment;
  /** The repository, whose files an agent can write. */
  readonly root: string;
}

/**
 * The Node that hooks start: the one that runs now. For a standalone binary it is the name on PATH that leads to it, because
 * an upgrade may move a link (`/usr/local/bin/guard`) to a new file and remove the old one.
 */
export function hookNode({ env, root }: Place, is_binary = isStandalone(), node = process.execPath): string {
  const named = is_binary ? findOnPath('guard', env['PATH']) : null;
  if (named === null) return node;
  const leadsHere = attempt(() => realpathSync(named) === realpathSync(node), false);
  return leadsHere && !isInside(root, named) ? named : node;
}

/** As PATH has it, or after links. */
const isInside = (root: string, file: string): boolean =>
  attempt(() => [dirname(file), realpathSync(dirname(file))], [root]).some(
    (dir) => !/^\.\.(?:[/\\]|$)/.test(relative(nearestReal(root), dir)),
  );
