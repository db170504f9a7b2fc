import { expect, test } from 'vitest';

import { readLine } from '../../../src/shell/read-line.ts';
import { startIn } from '../disk.ts';

/** A line's targets and unresolved parts, relative to the checkout. */
function told(line: string): readonly string[] {
  const { targets, unresolved } = readLine(line, startIn({ '/repo/.git/HEAD': '' }));
  return [
    ...targets.map(({ act, path }) => `${act} ${path.slice(6)}`),
    ...unresolved.map(({ reason }) => `?${reason}`),
  ];
}

test.each([
  ['pnpm -C sub exec touch a', 'create sub/a'],
  ['pnpm --filter x -C sub exec touch a', 'create sub/a'],
  ['pnpm -C sub dlx touch a', 'create sub/a'],
  ['yarn --cwd sub exec touch a', 'create sub/a'],
  ['uv --directory sub run touch a', 'create sub/a'],
  ['poetry -C sub run touch a', 'create sub/a'],
  ['pnpm -C sub exec -C deep touch a', 'create sub/deep/a'],
  ['pnpm exec -C sub touch a', 'create sub/a'],
  ['pnpm exec touch a', 'create a'],
  ['pnpm -C "$WHERE" exec touch a', '?directory'],
])('%s runs where the options before and behind its verb say', (line, said) => {
  expect(told(line)).toEqual([said]);
});
