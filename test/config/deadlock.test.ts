/** Configuration keys for ending deadlocks and for the lock servers that count. */
import { describe, expect, it } from 'vitest';
import { scene } from './scratch.ts';

describe('deadlock', () => {
  it('the user says who must let go, and what happens to it', () => {
    const { load } = scene();
    const { policy } = load({ user: { deadlock: { victim: 'least_work', resolve: 'release' } } });
    expect(policy).toMatchObject({ victim: 'least_work', resolve: 'release' });
  });

  it('a repository cannot have locks taken away that the user did not want taken away, and is told so', () => {
    const { load } = scene();
    const { policy, warnings } = load({
      repository: { deadlock: { resolve: 'release', victim: 'fewest_leases' } },
    });
    expect(policy).toMatchObject({ victim: 'fewest_leases', resolve: 'notify' });
    expect(warnings).toMatchObject([{ key: 'deadlock_resolve', wanted: 'release', kept: 'notify', line: 1 }]);
  });

  it.each([
    [{ deadlock: { victim: 'oldest' } }, /"oldest" is not a valid value/],
    [{ deadlock: { victims: 'youngest' } }, /"victims" is not a key/],
    [{ deadlock: 'release' }, /"deadlock" must be an object/],
    [{ lock_servers: 'mala' }, /"lock_servers" must be a list/],
    [{ lock_servers: ['a b'] }, /"lock_servers" must be a list/],
  ])('%j is an error with its place', (repository, reason) => {
    const { load } = scene();
    expect(() => load({ repository })).toThrow(reason);
  });
});

describe('lock_servers', () => {
  it('of all files count together, beside those that guard knows', () => {
    const { load } = scene();
    const { lock_servers } = load({
      user: { lock_servers: ['mine'] },
      repository: { lock_servers: ['ours', 'mine'] },
    });
    expect(lock_servers).toEqual(['mala-locking', 'mine', 'ours']);
  });
});
