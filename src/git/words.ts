/** The words between `git` and its command, and which command that is. Pure. */
import { isAbsolute, resolve } from 'node:path';

/** Null: only known when it runs. */
export type Word = string | null;

export const known = (words: readonly Word[]): readonly string[] =>
  words.filter((word): word is string => word !== null);

export interface GitWords {
  /** `null`: not even the command is known. */
  readonly command: Word;
  readonly args: readonly Word[];
  /** After applying every `-C`; null: it cannot be determined. */
  readonly cwd: string | null;
  readonly git_dir: string | null;
  readonly work_tree: string | null;
  /** `-c key=value`, as given. */
  readonly settings: readonly string[];
  /** `--literal-pathspecs` and similar. */
  readonly pathspecs: readonly string[];
}

const WITH_VALUE = new Set(['--exec-path', '--namespace', '--super-prefix', '--config-env', '--attr-source']);
const PATHSPECS = new Set([
  '--literal-pathspecs',
  '--glob-pathspecs',
  '--noglob-pathspecs',
  '--icase-pathspecs',
]);

type Draft = { -readonly [K in keyof GitWords]: GitWords[K] };

/** git(1), "OPTIONS": they end at the first word that is not one. */
export function gitWords(args: readonly Word[], cwd: string | null): GitWords {
  const found: Draft = {
    command: null,
    args: [],
    cwd,
    git_dir: null,
    work_tree: null,
    settings: [],
    pathspecs: [],
  };
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] ?? null;
    if (word === null || !word.startsWith('-')) break;
    const [, name = word, joined] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
    if (PATHSPECS.has(name)) found.pathspecs = [...found.pathspecs, name];
    const take = TAKES[name];
    if (take === undefined && !(WITH_VALUE.has(name) && joined === undefined && name !== '--exec-path'))
      continue;
    const value = joined ?? args[++at] ?? null;
    take?.(found, value);
  }
  found.command = args[at] ?? null;
  found.args = args.slice(at + 1);
  return found;
}

const under = (cwd: string | null, path: Word): string | null =>
  path === null ? null : isAbsolute(path) ? resolve(path) : cwd === null ? null : resolve(cwd, path);

const TAKES: Readonly<Record<string, (found: Draft, value: Word) => void>> = {
  '-C': (found, value) => (found.cwd = value === '' ? found.cwd : under(found.cwd, value)),
  '-c': (found, value) => {
    if (value !== null) found.settings = [...found.settings, value];
  },
  '--git-dir': (found, value) => (found.git_dir = value),
  '--work-tree': (found, value) => (found.work_tree = value),
};
