/** The command by which agents run guard. The permission rules and every denial name exactly this text (decision 032). */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { shellWord } from '../core/shell-word.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { findOnPath } from './find-on-path.ts';
import { guardRoot } from './guard-root.ts';
import { PROGRAMS } from './program-names.ts';

/** `/v22.1.0/`, `/22.1.0/`: version managers put global installs below the Node that installed them. */
export const OF_ONE_NODE = /[/\\]v?\d+\.\d+\.\d+[/\\]/;

/**
 * `guard` if a shell finds this guard under that name and will keep finding it; otherwise node and the absolute path.
 * @param guard_root the recorded root: the running package, or the program home that it is kept in
 * @param node absolute path of the Node that runs now
 * @param running the running package
 */
export function agentCommand(
  guard_root: string,
  node: string,
  env: Environment,
  running: string = guardRoot(),
): string {
  const named = findOnPath('guard', env['PATH']);
  // A standalone binary is its own Node.
  if (named !== null && (isProgramOf(guard_root, named) || isSameFile(named, node))) return 'guard';
  if (named !== null && running !== guard_root && isProgramOf(running, named) && !OF_ONE_NODE.test(named))
    return 'guard';
  const node_named = findOnPath('node', env['PATH']);
  const node_word = node_named !== null && isSameFile(node_named, node) ? 'node' : shellWord(node);
  return `${node_word} ${shellWord(join(guard_root, 'bin', PROGRAMS[0]))}`;
}

const isProgramOf = (root: string, file: string): boolean =>
  PROGRAMS.some((name) => isSameFile(file, join(root, 'bin', name)));

const isSameFile = (a: string, b: string): boolean =>
  attempt(() => realpathSync(a) === realpathSync(b), false);
