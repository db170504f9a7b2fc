/** `git ls-files`: which files it names is in git's index, but its words say among which they are. */
import type { Call } from '../call.ts';
import { absolute } from '../path.ts';
import { isGlob } from '../writers/paths.ts';

/** Absolute globs; null: nobody can tell, or it names no files. */
export function namesAmong(call: Call): readonly string[] | null {
  if (call.name === 'git') return listedByGit(call);
  return call.name === 'grep' ? endingIn(call) : null;
}

/** All that is tracked; others only some of it, which a pattern cannot say. */
const PLAIN = /^(?:-z|-c|-cz|-zc|--cached|--|--full-name)$/;

function listedByGit({ args, cwd, start }: Call): readonly string[] | null {
  const [verb, ...words] = args.map(({ text }) => text);
  if (verb !== 'ls-files' || cwd === null) return null;
  const said = words.filter((word) => word === null || !PLAIN.test(word));
  const globs = (said.length === 0 ? ['.'] : said).map((word) => {
    const path = word === null || /^[-:]/.test(word) ? null : absolute(word, cwd);
    if (path === null || word === null) return null;
    if (isGlob(word)) return belowAll(path);
    return start.look.kind(path) === 'directory' ? `${path}/**` : path;
  });
  return globs.every((glob) => glob !== null) ? globs : null;
}

/** A star of git's crosses directories. */
const belowAll = (path: string): string => path.replace(/(^|\/)\*(?=[^/*]*$)/, '$1**/*');

/** `grep '\.ts$'` among them. */
function endingIn({ args, globs }: Call): readonly string[] | null {
  const words = args.map(({ text }) => text).filter((word) => word !== '-E');
  const [, end] = /^\\\.(\w+)\$$/.exec(words[0] ?? '') ?? [];
  if (end === undefined || words.length !== 1 || globs === undefined) return null;
  return globs.every((glob) => glob.endsWith('/**')) ? globs.map((glob) => `${glob}/*.${end}`) : null;
}
