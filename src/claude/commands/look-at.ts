// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** What is in files that git would take, where only that tells whose work it is: on disk, and in the last commit. */
import { dirname } from 'node:path';
import type { GitFile } from '../../core/rules/command-event.ts';
import type { Digest, RepoPath } from '../../core/types.ts';
import { type Git, gitAt, OutOfTime } from '../../git/ask.ts';
import { checkoutOf } from '../../git/place.ts';
import { gitWords } from '../../git/words.ts';
import { digestBytes, digestFile } from '../../repo/digest.ts';
import type { Hook } from '../context.ts';
import { patientUntil } from './patience.ts';

/** git is asked for one file after the other, some 3 ms each. What it did not say in time counts as not committed. */
const ASKED_MAX = 32;

export function lookAt(
  hook: Hook,
  files: readonly GitFile[],
  wanted: ReadonlySet<RepoPath>,
): readonly GitFile[] {
  const until_ms = patientUntil(hook);
  let asked = 0;
  return files.map((file) => {
    if (!wanted.has(file.path)) return file;
    const { digest } = digestFile(file.abs, { deadline: hook.deadline });
    const isAsked = file.loses === 'staged' && ++asked <= ASKED_MAX;
    const committed = isAsked ? committedAt(hook, file.abs, until_ms) : undefined;
    return { ...file, digest, ...(committed === undefined ? {} : { committed }) };
  });
}

/** Undefined: git did not say. */
function committedAt({ env }: Hook, abs: string, until_ms: number): Digest | undefined {
  const at = checkoutOf(gitWords([], dirname(abs)), {});
  if (at === null) return undefined;
  const git = gitAt({ ...at, variables: {}, settings: [], pathspecs: [], env, until_ms });
  const text = inTime(git, abs.slice(at.root.length + 1));
  return text === null ? undefined : digestBytes(Buffer.from(text));
}

function inTime(git: Git, path: string): string | null {
  try {
    return git('cat-file', 'blob', `HEAD:${path}`);
  } catch (error) {
    if (error instanceof OutOfTime) return null;
    throw error;
  }
}
