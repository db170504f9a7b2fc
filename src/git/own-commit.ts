/** The commit without other agents' files, ready to type. Pure. */
import { relative } from 'node:path';
import { plain } from '../core/plain.ts';
import { shellWord } from '../core/shell-word.ts';

/** Longer lists of names are not read. */
const NAMED = 20;

export interface Split {
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
  /** The caller's directory relative to the root: GIT_PREFIX. */
  readonly prefix: string;
}

/** Null: nothing is left to commit, or it does not fit in one line. */
export function ownCommit({ mine, theirs, prefix }: Split): string | null {
  if (mine.length === 0) return null;
  if (mine.length <= NAMED) return typed(['commit'], mine, prefix);
  return theirs.length > NAMED ? null : typed(['restore', '--staged'], theirs, prefix, ' && git commit');
}

const MAGIC = /[*?[\]\\]|^:/;

function typed(
  command: readonly string[],
  names: readonly string[],
  prefix: string,
  then = '',
): string | null {
  // A name that is not safe to display cannot be offered for typing, and one that is not UTF-8 has no spelling.
  if (names.some((name) => plain(name) !== name || name.includes('\uFFFD'))) return null;
  const words = names.map((name) => shellWord(relative(prefix, name)));
  const literal = names.some((name) => MAGIC.test(name)) ? ['--literal-pathspecs'] : [];
  return `${['git', ...literal, ...command, '--', ...words].join(' ')}${then}`;
}
