/** Absolute names of the ledger's paths, as commands are told about them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spelledAt } from '../../src/repo/spelled.ts';
import { scratchDir } from './scratch.ts';

describe('a path of the ledger', () => {
  const common_dir = join(scratchDir(), '.git');
  const main = join(common_dir, '..');
  const state_dir = join(common_dir, 'guard');
  const note = (id: string, gitdir: string): void => {
    mkdirSync(join(common_dir, 'worktrees', id), { recursive: true });
    writeFileSync(join(common_dir, 'worktrees', id, 'gitdir'), gitdir);
  };
  note('tree', '/else where/tree/.git\n');
  note('near', '../../../near/.git\n');
  note('odd', '');

  it.each([
    ['src/a.ts', null, main, join(main, 'src/a.ts')],
    ['src/a.ts', 'tree', '/else where/tree', join(main, 'src/a.ts')],
    ['//tree/a b\n.ts', null, main, '/else where/tree/a b\n.ts'],
    ['//tree/a', 'tree', '/moved/tree', '/moved/tree/a'],
    ['//near/a', 'tree', '/else where/tree', join(main, 'near/a')],
    ['//odd/a', null, main, '//odd/a'],
    ['//none/a', null, main, '//none/a'],
    ['/tmp/a', 'tree', '/else where/tree', '/tmp/a'],
  ])('%j, from worktree %s at %s, is %j', (path, worktree, root, abs) => {
    expect(spelledAt({ root, worktree, common_dir, state_dir })(path)).toBe(abs);
  });

  it('of a main checkout that only its configuration knows stays as it is', () => {
    expect(spelledAt({ root: '/t', worktree: 'x', common_dir: '/r/modules/x', state_dir })('a')).toBe('a');
  });
});
