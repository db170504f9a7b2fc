/** A line's effects in a form that fits a table: `write x`, `sed -i x` as `edit x`, `git stash`, `?variable`. */
import { readLine } from '../../src/shell/read-line.ts';
import { startIn } from './disk.ts';

/** Files of the repository in which the lines of the tables run. */
export const FILES = {
  '/repo/.git/HEAD': 'ref: refs/heads/main\n',
  '/repo/.hidden': '',
  '/repo/README.md': '# readme\n',
  '/repo/env.sh': 'TARGET=src/a.ts\n',
  '/repo/list.txt': 'src/a.ts\nsrc/b.ts\n',
  '/repo/scripts/args.sh': '#!/usr/bin/env bash\necho hi > "$1"\n',
  '/repo/scripts/clean.sh': 'cd "$(dirname src/a.ts)" || exit 1\nrm -f a.ts\n',
  '/repo/scripts/here.sh':
    'cd "$(dirname "$0")/.."\ncd "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"\nrm clean.sh\n',
  '/repo/scripts/nested.sh': '#!/bin/sh\nrm x\nbash scripts/clean.sh\n',
  '/repo/src/.dot': '',
  '/repo/src/a.ts': 'a\n',
  '/repo/src/b.ts': 'b\n',
  '/repo/src/sub/c.ts': 'c\n',
};

const ENV = { USER: 'me', CLAUDE_PROJECT_DIR: '/repo', PATH_IN_ENV: '/usr/bin' };

const short = (path: string): string => path.replace(/^\/repo\//, '');

export function told(line: string): readonly string[] {
  const { targets, scopes, git, unresolved } = readLine(line, startIn(FILES, { env: ENV }));
  return [
    ...targets.map(({ act, path }) => `${act} ${short(path)}`),
    ...scopes.map(({ kind, paths }) => `${kind} ${paths.map(short).join(' ')}`),
    ...git.map(({ args, cwd, env }) =>
      [
        ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
        'git',
        ...args.map((it) => it ?? '?'),
        `in ${cwd ?? '?'}`,
      ].join(' '),
    ),
    ...unresolved.map(({ reason }) => `?${reason}`),
  ];
}
