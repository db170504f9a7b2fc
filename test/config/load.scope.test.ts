import { expect, it } from 'vitest';
import { scene } from './scratch.ts';

it('the environment cannot widen where leases count, which would end those of all agents', () => {
  const { load } = scene();
  const env = { GUARD_LEASE_SCOPE: 'together' };
  const config = load({ env });
  expect(config.policy.lease_scope).toBe('told');
  expect(config.warnings).toMatchObject([
    { key: 'lease_scope', wanted: 'together', kept: 'told', source: 'environment' },
  ]);
  const same = load({ repository: { lease_scope: 'together' }, env });
  expect(same.policy.lease_scope).toBe('together');
  expect(same.warnings).toEqual([]);
  expect(load({ user: { allow_weaker: true }, env }).policy.lease_scope).toBe('together');
});
