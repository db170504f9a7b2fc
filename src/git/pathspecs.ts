/** Which paths a command names: after `--`, as operands, or in a file. */
import { textOf } from '../repo/small-file.ts';
import { type Act, fromCwd, type Touch } from './act.ts';
import { known } from './words.ts';
import type { GitOptions } from './options.ts';
import { unquoted } from './questions.ts';

export interface NamedPaths {
  readonly paths: readonly string[];
  /** Some of them cannot be determined. */
  readonly is_partial: boolean;
  /** What to report about those. */
  readonly partly: Pick<Touch, 'unresolved'>;
}

export const NO_PATHS: NamedPaths = { paths: [], is_partial: false, partly: {} };

const MOST_BYTES = 262_144;

/** @param operands the ones that are paths */
export function pathsOf(act: Act, options: GitOptions, operands = options.operands): NamedPaths {
  const words = [...operands, ...(options.paths ?? [])];
  const file = options.value('pathspec-from-file');
  const listed = file === undefined ? [] : pathsIn(act, file, options.has('pathspec-file-nul'));
  const paths = [...known(words), ...(listed ?? [])].filter((path) => path !== '');
  const is_partial = listed === null || words.includes(null);
  return { paths, is_partial, partly: is_partial ? { unresolved: 'which files' } : {} };
}

function pathsIn(act: Act, file: string | null, is_nul: boolean): readonly string[] | null {
  if (file === null) return null;
  const text = file === '-' ? act.stdin : textOf(fromCwd(act, file), MOST_BYTES);
  if (text === null) return null;
  if (is_nul) return text.split('\0');
  return text.split(/\r?\n/).map(unquoted);
}
