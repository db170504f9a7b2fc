/** How agents type guard. The permission rules and every denial name exactly this text (decision 032). */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from '../core/shell-word.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { findOnPath } from './find-on-path.ts';

/**
 * `guard` where a shell finds this guard under that name; otherwise node and the absolute path.
 * @param node absolute path of the Node that runs now
 */
export function agentCommand(guard_root: string, node: string, env: Environment): string {
  const program = join(guard_root, 'bin', 'guard.mjs');
  const named = findOnPath('guard', env['PATH']);
  if (named !== null && isSameFile(named, program)) return 'guard';
  const node_named = findOnPath('node', env['PATH']);
  const node_word = node_named !== null && isSameFile(node_named, node) ? 'node' : shellWord(node);
  return `${node_word} ${shellWord(program)}`;
}

function isSameFile(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}
