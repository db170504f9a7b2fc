// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The contents of files that git would take, on disk and in the last commit, if only these show whose work it is. */
import { askGit } from './ask-git.ts';
import { dirname } from 'node:path';
import type { GitFile } from '../../core/rules/command-event.ts';
import type { Digest, RepoPath } from '../../core/types.ts';
import { checkoutOf } from '../../git/place.ts';
import { gitWords } from '../../git/words.ts';
import { digestBytes, digestFile } from '../../repo/digest.ts';
import type { Hook } from '../context.ts';

/** git is asked file by file, at some 3 ms each. A file for which it does not answer in time counts as not committed. */
const ASKED_MAX = 32;

export function lookAt(
  hook: Hook,
  files: readonly GitFile[],
  wanted: ReadonlySet<RepoPath>,
): readonly GitFile[] {
  let asked = 0;
  return files.map((file) => {
    if (!wanted.has(file.path)) return file;
    const { digest } = digestFile(file.abs, { deadline: hook.deadline });
    const isAsked = file.loses === 'staged' && ++asked <= ASKED_MAX;
    const committed = isAsked ? committedAt(hook, file.abs) : undefined;
    return { ...file, digest, ...(committed === undefined ? {} : { committed }) };
  });
}

/** Undefined if git did not answer. */
function committedAt(hook: Hook, abs: string): Digest | undefined {
  const at = checkoutOf(gitWords([], dirname(abs)), {});
  if (at === null) return undefined;
  const text = askGit(hook, at, 'cat-file', 'blob', `HEAD:${abs.slice(at.root.length + 1)}`) ?? null;
  return text === null ? undefined : digestBytes(Buffer.from(text));
}
