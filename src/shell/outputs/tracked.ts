/** `git ls-files`, `find`: the files they name are in git's index, or too many to look at, but their arguments give a pattern. */
import type { Call } from '../call.ts';
import { absolute, isGlob, joined } from '../path.ts';

/** Absolute globs; null if they are unknown, or the command names no files. */
export function namesAmong(call: Call): readonly string[] | null {
  if (call.name === 'git') return listedByGit(call);
  if (call.name === 'find' || call.name === 'gfind') return foundBelow(call);
  return call.name === 'grep' ? endingIn(call) : null;
}

/** `find src -type f -name '*.c'`: any other test reduces the result. */
function foundBelow({ args, cwd }: Call): readonly string[] | null {
  const begin = args.findIndex(({ text }) => text?.startsWith('-') === true);
  const [roots, tests] = begin < 0 ? [args, []] : [args.slice(0, begin), args.slice(begin)];
  const said = tests.map(({ text }) => text ?? '').join(' ');
  const [, name = '*'] = /^(?:-type f ?)?(?:-name ([^\s/]+) ?)?(?:-type f ?)?(?:-print0?)?$/.exec(said) ?? [
    '',
    null,
  ];
  if (name === null) return null;
  const dirs = (roots.length === 0 ? ['.'] : roots.map(({ text }) => text)).map((text) =>
    text === null ? null : absolute(text, cwd),
  );
  const known = dirs.filter((dir) => dir !== null);
  return known.length === dirs.length ? known.map((dir) => joined(dir, `**/${name}`)) : null;
}

/** Options that list everything tracked; others list only part of it, which a pattern cannot express. */
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

/** A star in git's patterns crosses directories. */
const belowAll = (path: string): string => path.replace(/(^|\/)\*(?=[^/*]*$)/, '$1**/*');

/** `grep '\.ts$'` applied to the names. */
function endingIn({ args, globs }: Call): readonly string[] | null {
  const words = args.map(({ text }) => text).filter((word) => word !== '-E');
  const [, end] = /^\\\.(\w+)\$$/.exec(words[0] ?? '') ?? [];
  if (end === undefined || words.length !== 1 || globs === undefined) return null;
  return globs.every((glob) => glob.endsWith('/**')) ? globs.map((glob) => `${glob}/*.${end}`) : null;
}
