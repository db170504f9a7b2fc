import { describe, expect, it } from 'vitest';
import { projectOf } from '../../src/operations/project.ts';
import { scratch } from '../claude/driver.ts';
import { locateRepo } from '../../src/repo/locate.ts';

const SOCKET = '/run/user/1000/shop.sock';

describe('what a project is called', () => {
  it.each([
    ['GUARD_PROJECT', { GUARD_PROJECT: 'g', INTERLOCK_PROJECT: 'i', INTERMUTE_SOCKET: SOCKET }, 'g'],
    ['INTERLOCK_PROJECT', { INTERLOCK_PROJECT: 'i', INTERMUTE_SOCKET: SOCKET }, 'i'],
    ['the socket', { GUARD_PROJECT: '', INTERLOCK_PROJECT: '', INTERMUTE_SOCKET: SOCKET }, 'shop'],
    [
      'the repository, where the socket is any project’s',
      { INTERMUTE_SOCKET: '/var/run/intermute.sock' },
      'repo',
    ],
    ['the repository, where nothing is said', { INTERMUTE_SOCKET: '' }, 'repo'],
  ])('%s decides', (_what, env, project) => {
    const at = scratch();
    expect(projectOf({ repo: locateRepo(at.root), env })).toBe(project);
  });

  it('is the same in a worktree, and in a sub-directory', () => {
    const at = scratch({ files: { 'src/a.txt': 'one\n' } });
    at.git('add', '-A');
    at.git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qm', 'one');
    at.git('worktree', 'add', '-q', at.path('../elsewhere'));
    for (const dir of ['src', '../elsewhere'])
      expect(projectOf({ repo: locateRepo(at.path(dir)), env: {} })).toBe('repo');
  });
});
