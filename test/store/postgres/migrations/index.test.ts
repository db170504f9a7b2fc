import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { MIGRATIONS, SCHEMA_VERSION } from '../../../../src/store/postgres/migrations/index.ts';

/** SHA-256 of each migration's text. Never change a row here: databases that ran that text will not run it again. */
const RELEASED: ReadonlyMap<number, string> = new Map([
  [1, 'acf88cfcfa6d420403c2f7454efc660e3dd3293d13245dafb8b2a5c5a1305419'],
  [2, '982cc341c12a10c22e6b373a2498757d0fbee4c1370c8c17328b3ceea7c17e3f'],
]);

test('a migration that databases have run is never altered: what changes becomes another version', () => {
  const found = MIGRATIONS.map(({ version, sql }) => [
    version,
    createHash('sha256').update(sql).digest('hex'),
  ]);
  expect(new Map(found.slice(0, RELEASED.size) as [number, string][])).toEqual(RELEASED);
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, at) => at + 1));
  expect(SCHEMA_VERSION).toBe(MIGRATIONS.length);
});
