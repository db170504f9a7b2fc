/** The database's owner, in an environment that another user can influence. */
import { afterEach, describe, expect, test } from 'vitest';
import { SCHEMA_VERSION } from '../../../src/store/postgres/migrations/index.ts';
import { asOwner } from '../../../src/store/postgres/owner.ts';
import { sharedCluster, urlOf } from './shared.ts';
import { newDatabase } from './databases.ts';
import { hasPostgres } from './programs.ts';

describe.skipIf(!hasPostgres())('the owner of a shared ledger', () => {
  const before = process.env['PGOPTIONS'];
  afterEach(() => {
    if (before === undefined) delete process.env['PGOPTIONS'];
    else process.env['PGOPTIONS'] = before;
  });

  test('works by the settings that guard has, whatever PGOPTIONS says', async () => {
    const cluster = await sharedCluster();
    const url = urlOf(cluster, 'postgres', await newDatabase(cluster));
    process.env['PGOPTIONS'] = '-c default_transaction_read_only=on';
    expect(await asOwner(url, (owner) => owner.migrate())).toBe(SCHEMA_VERSION);
  });
});
