/** The configuration of drafted agents. */
import { describe, expect, it } from 'vitest';
import { loadHarness } from '../../src/config/harness.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { type Places, scene } from './scratch.ts';

function harnessWith(places: Places) {
  const { load, root, home } = scene();
  load(places);
  return loadHarness({ repo: locateRepo(root), env: { HOME: home } });
}

const DEFAULTS = {
  full_access: ['conversational'],
  stream_timeout_ms: 600_000,
  tasks_dir: '.agents/tasks',
  roles_dir: '.agents/roles',
  bounds: { depth: 3, running: 8 },
};

describe('the configuration of drafted agents', () => {
  it('has a value for everything that nobody says', () => {
    expect(harnessWith({})).toEqual(DEFAULTS);
    expect(harnessWith({ user: { mcp: {} }, repository: { mcp: { writers: [] } } })).toEqual(DEFAULTS);
  });

  it('is what the user says', () => {
    const mcp = { fullAccessCategories: ['pm', 'conversational'], streamTimeout: 30_000 };
    const user = { mcp, tasksDir: './work//tasks/', rolesDir: 'roles', agents: { depth: 9, running: 20 } };
    expect(harnessWith({ user })).toEqual({
      full_access: ['pm', 'conversational'],
      stream_timeout_ms: 30_000,
      tasks_dir: 'work/tasks',
      roles_dir: 'roles',
      bounds: { depth: 9, running: 20 },
    });
  });

  it('may be made stricter by a repository, and no laxer', () => {
    const repository = { mcp: { fullAccessCategories: ['worker'] }, agents: { depth: 1, running: 50 } };
    expect(harnessWith({ repository })).toMatchObject({ full_access: [], bounds: { depth: 1, running: 8 } });
    expect(harnessWith({ repository, user: { allow_weaker: true } })).toMatchObject({
      full_access: ['worker'],
      bounds: { depth: 1, running: 50 },
    });
  });

  it.each([
    [{ mcp: { fullAccessCategories: 'conversational' } }, 'fullAccessCategories'],
    [{ mcp: { fullAccessCategories: ['a', 1] } }, 'fullAccessCategories'],
    [{ mcp: { streamTimeout: '10m' } }, 'streamTimeout'],
    [{ mcp: { streamTimeout: 5 } }, 'streamTimeout'],
    [{ agents: { depth: 0 } }, 'depth'],
    [{ agents: { wide: 1 } }, 'agents'],
    [{ rolesDir: './' }, 'rolesDir'],
    [{ tasksDir: '/tmp' }, 'tasksDir'],
  ])('%j is an error that names the key', (repository, key) => {
    expect(() => harnessWith({ repository })).toThrow(
      expect.objectContaining({ code: 'GUARD_ERR_CONFIG', message: expect.stringContaining(key) as string }),
    );
  });
});
