/**
 * git, asked by guard itself. The repository may be hostile, and its configuration with it: a program by absolute path, because
 * a repository's settings reach PATH, and for plumbing that needs nothing of the user's an environment of its own.
 */
import { existsSync } from 'node:fs';

const PROGRAMS = ['/usr/bin/git', '/opt/homebrew/bin/git', '/usr/local/bin/git'];

/** Null: there is none where guard looks. */
export const gitProgram = (): string | null => PROGRAMS.find((one) => existsSync(one)) ?? null;

/** Nobody's configuration but the repository's. */
export const GIT_ENVIRONMENT = {
  LC_ALL: 'C',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_TERMINAL_PROMPT: '0',
};

/** Before the command: what it reads starts nothing. */
export const GIT_SAFELY = [
  '--no-pager',
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.hooksPath=/dev/null'],
];

/** The same for commands that take pathspecs: paths mean what they say. check-ignore, which takes none, refuses this. */
export const GIT_LITERALLY = ['--literal-pathspecs', ...GIT_SAFELY];

/** In a list of paths that git parts by colons, but for what stands in quotes. */
export const quotedForGit = (path: string): string =>
  `"${path.replace(/[\\"]/g, (char) => `\\${char}`).replaceAll('\n', '\\n')}"`;
