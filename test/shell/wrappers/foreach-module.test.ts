import { expect, test } from 'vitest';

import { readLine } from '../../../src/shell/read-line.ts';
import { startIn } from '../disk.ts';

const section = (name: string, path: string): string =>
  `[submodule "${name}"]\n\tpath = ${path}\n\turl = x\n`;
const FILES = {
  '/repo/.git/HEAD': '',
  '/repo/.gitmodules': section('one', 'lib/one') + section('gone', 'gone') + section('two', "it's"),
  '/repo/lib/one/.git': 'gitdir: x\n',
  '/repo/lib/one/.gitmodules': section('deep', 'deep'),
  '/repo/lib/one/deep/.git': 'gitdir: x\n',
  "/repo/it's/.git": 'gitdir: x\n',
  '/repo/src/a.ts': '',
};

/** Targets, and git commands with their directory, without `submodule` itself. */
function told(line: string): readonly string[] {
  const { targets, git, unresolved } = readLine(line, startIn(FILES));
  return [
    ...targets.map(({ act, path }) => `${act} ${path.slice(6)}`),
    ...git
      .filter(({ args }) => !args.includes('submodule'))
      .map(({ args, cwd }) => `git ${args.map((it) => it ?? '?').join(' ')} in ${cwd?.slice(6) ?? '?'}`),
    ...unresolved.map(({ reason }) => `?${reason}`),
  ];
}

test.each([
  ["git submodule foreach 'rm x'", ['remove lib/one/x', "remove it's/x"]],
  ['git submodule --quiet foreach rm x', ['remove lib/one/x', "remove it's/x"]],
  ["cd src && git submodule foreach 'rm x'", ['remove lib/one/x', "remove it's/x"]],
  ["git -C src submodule foreach 'rm x'", ['remove lib/one/x', "remove it's/x"]],
  [
    'git submodule foreach --recursive git clean -fd',
    ['git clean -fd in lib/one', 'git clean -fd in lib/one/deep', "git clean -fd in it's"],
  ],
  ['git submodule foreach \'rm "$toplevel/$sm_path/$name"\'', ['remove lib/one/one', "remove it's/two"]],
  ["git submodule foreach 'git checkout my-f && git stash drop'".replace('foreach', 'status'), []],
  ["git commit -m 'submodule foreach rm x'", ['git commit -m submodule foreach rm x in ']],
  ['git submodule foreach', []],
])('%s', (line, said) => {
  expect(told(line)).toEqual(said);
});
