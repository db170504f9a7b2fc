import { expect, it } from 'vitest';
import { compareVersions } from '../../../src/install/program/version-order.ts';

/** The example of semver.org, section 11, and the cases that comparing text gets wrong. */
const ASCENDING = [
  '0.9.9',
  '0.10.0-beta.2',
  '0.10.0',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.1',
  '2.0.0',
];

it('orders versions as semver does', () => {
  for (const [at, left] of ASCENDING.entries())
    for (const [other, right] of ASCENDING.entries())
      expect(Math.sign(compareVersions(left, right)), `${left} ${right}`).toBe(Math.sign(at - other));
  expect(compareVersions('1.0.0+build1', '1.0.0+build2')).toBe(0);
});
