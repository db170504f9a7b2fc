/**
 * How guard itself runs git. The repository may be hostile, including its configuration, which can affect PATH: the
 * program has an absolute path, and plumbing that needs nothing of the user's gets a clean environment.
 */
import { existsSync } from 'node:fs';

const PROGRAMS = ['/usr/bin/git', '/opt/homebrew/bin/git', '/usr/local/bin/git'];

/** Null if there is none in the usual places. */
export const gitProgram = (): string | null => PROGRAMS.find((one) => existsSync(one)) ?? null;

/** Excludes all configuration but the repository's. */
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

/** Options before the command that keep git from starting other programs. */
export const GIT_SAFELY = [
  '--no-pager',
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.hooksPath=/dev/null'],
];

/** The same for commands that take pathspecs, which makes paths literal. check-ignore takes none and rejects this option. */
export const GIT_LITERALLY = ['--literal-pathspecs', ...GIT_SAFELY];

/** Quotes a path for git lists that are separated by colons. */
export const quotedForGit = (path: string): string =>
  `"${path.replace(/[\\"]/g, (char) => `\\${char}`).replaceAll('\n', '\\n')}"`;
