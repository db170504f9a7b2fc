import { describe, expect, it } from 'vitest';
import { agent, denialTypes, file, H1, H2, POLICY, World } from '../world.ts';

const a = agent('a');
const b = agent('b');

describe('enforcement', () => {
  it('required: no write without a lease (P3), and not under a shared one', () => {
    const world = new World();
    expect(denialTypes(world.begin(a, 'x', 'op', file(H1)))).toEqual(['NOT_LOCKED']);
    world.run({
      type: 'lock.acquire',
      who: a,
      paths: ['x'],
      mode: 'shared',
      ttl_ms: null,
      all: false,
      wait_until_mono_ms: null,
    });
    expect(denialTypes(world.begin(a, 'x', 'op2', file(H1)))).toEqual(['NOT_LOCKED']);
  });

  it('auto: the first write takes the lease, the second agent is denied by name', () => {
    const world = new World();
    world.policy = { ...POLICY, enforcement: 'auto' };
    expect(world.begin(a, 'x', 'op', file(H1)).verdict).toBe('approved');
    world.end(a, 'x', 'op', H2);
    expect(world.begin(b, 'x', 'op2', file(H2), { turn: 1, knows: 'content', digest: H2 })).toMatchObject({
      denial: { error_type: 'LOCKED_BY_OTHER', details: { holder: a.id } },
    });
    expect(world.wait(b).edges).toMatchObject([{ path: 'x', kind: 'wanted' }]);
  });

  it('off: leases do not count, writes in flight do (P4)', () => {
    const world = new World();
    world.policy = { ...POLICY, enforcement: 'off' };
    world.lock(a, 'x');
    expect(world.begin(b, 'x', 'op', file(H1)).verdict).toBe('approved');
    expect(denialTypes(world.begin(a, 'x', 'op2', file(H1)))).toEqual(['WRITE_IN_FLIGHT']);
  });
});
