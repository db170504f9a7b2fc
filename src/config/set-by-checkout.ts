// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Variables that a checkout's settings files pass to hooks and commands. Whether such a value reached this process, or
 * the user's own did, cannot be told, so a variable that such a file names must not decide anything.
 */
import { dirname, join, sep } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { asObject } from '../core/json-object.ts';
import { holdsAccountHome } from '../repo/account.ts';
import type { Repo } from '../repo/locate.ts';
import { readSmallFile } from '../repo/small-file.ts';
import type { Environment } from '../repo/user-dirs.ts';

const FILES = ['settings.json', 'settings.local.json'];
const MAX_BYTES = 1 << 20;

export interface SetByCheckout {
  readonly file: string;
  /** Null: the file cannot be read, so it may set any. */
  readonly variable: string | null;
}

/**
 * The first settings file that sets one of these. Settings of a checkout that contains the user's home are the user's.
 * Only hooks are told where a session began; for a command it is somewhere above the directory in which it runs.
 */
export function setByCheckout(
  { root, common_dir }: Pick<Repo, 'root' | 'common_dir'>,
  env: Environment,
  variables: readonly string[],
): SetByCheckout | null {
  const main = common_dir === null ? root : dirname(common_dir);
  const begun = env['CLAUDE_PROJECT_DIR'];
  const above = begun === undefined ? upTo(root, env['PWD'] ?? root) : [begun];
  const roots = [...new Set([root, main, ...above])].filter((dir) => !holdsAccountHome(dir));
  const files = roots.flatMap((dir) => FILES.map((name) => join(dir, '.claude', name)));
  return files.map((file) => setIn(file, variables)).find((one) => one !== null) ?? null;
}

const upTo = (root: string, dir: string): readonly string[] =>
  dir.startsWith(`${root}${sep}`) ? [dir, ...upTo(root, dirname(dir))] : [];

/** Windows ignores the case of a variable's name. */
export const isSet = (variable: string, names: readonly string[], platform = process.platform): boolean =>
  names.some((name) => name === variable || (platform === 'win32' && name.toUpperCase() === variable));

function setIn(file: string, variables: readonly string[]): SetByCheckout | null {
  const read = readSmallFile(file, MAX_BYTES);
  if (read.state === 'missing') return null;
  const text = read.state === 'text' ? read.text.replace(/^\uFEFF/, '') : '';
  const value = attempt(() => JSON.parse(text) as unknown, undefined);
  if (value === undefined) return { file, variable: null };
  const names = Object.keys(asObject(asObject(value)['env']));
  const variable = variables.find((one) => isSet(one, names));
  return variable === undefined ? null : { file, variable };
}
