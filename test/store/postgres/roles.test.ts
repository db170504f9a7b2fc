/** An agent of one repository that tries to read or change another one. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../../src/store/postgres/open.ts';
import { PACKAGE } from '../../claude/driver.ts';
import { codeOf, put } from '../contract/bench.ts';
import { body } from '../contract/worker.ts';
import { asOwner, type Cluster } from './cluster.ts';
import { hasPostgres } from './programs.ts';
import { newRepository, sharedCluster, urlOf } from './shared.ts';

const NO_RIGHT = '42501';
const [MINE, THEIRS] = ['agent_of_mine', 'agent_of_theirs'];

describe.skipIf(!hasPostgres())('a role of an agent', () => {
  let cluster: Cluster;
  let attacker: pg.Client;
  let mine = '';
  let theirs = '';
  beforeAll(async () => {
    cluster = await sharedCluster();
    await asOwner(cluster, async (client) => {
      await client.query(`CREATE ROLE ${MINE} LOGIN; CREATE ROLE ${THEIRS} LOGIN`);
    });
    [mine, theirs] = [await newRepository(cluster, MINE), await newRepository(cluster, THEIRS)];
    for (const [role, repository] of [
      [MINE, mine],
      [THEIRS, theirs],
    ] as const) {
      const store = await openPostgres({ url: urlOf(cluster, role), repository });
      await put(store, body({ [`path:of ${role}`]: role }));
      await store.close();
    }
    attacker = new pg.Client({ host: cluster.dir, port: cluster.port, user: MINE, database: 'postgres' });
    await attacker.connect();
  });
  afterAll(() => attacker.end());

  const ask = (text: string, values: unknown[] = []): Promise<unknown> =>
    attacker.query<Record<string, unknown>>(text, values).then(({ rows }) => rows, codeOf);
  const LOOK = `SELECT guard.look_1($1, '{}', ARRAY[''::bytea], '{0}', '{0}', ARRAY[NULL::bytea]) AS look`;
  const LOOK_2 = LOOK.replace('look_1', 'look_2').replace('])', `], ARRAY['"by":"'], '{path:}')`);

  test.each(['repository', 'member', 'state', 'log', 'known', 'schema_version'])(
    'has no right on %s',
    async (table) => {
      expect(await ask(`SELECT * FROM guard.${table}`)).toBe(NO_RIGHT);
      expect(await ask(`DELETE FROM guard.${table}`)).toBe(NO_RIGHT);
      expect(await ask(`TRUNCATE guard.${table}`)).toBe(NO_RIGHT);
    },
  );

  test('can call the nine functions for agents, and none of those behind them', async () => {
    const { rows } = await asOwner(cluster, (client) =>
      client.query<{ name: string }>(
        `SELECT p.proname AS name FROM pg_proc p WHERE p.pronamespace = 'guard'::regnamespace AND has_function_privilege($1, p.oid, 'EXECUTE')`,
        [MINE],
      ),
    );
    expect(rows.map(({ name }) => name).sort()).toEqual([
      'commit_1',
      'commit_2',
      'follow_1',
      'health_1',
      'hello_1',
      'leap_1',
      'look_1',
      'look_2',
      'scan_1',
    ]);
    for (const call of [
      'create_repository_1($1, 1)',
      'new_epoch_1($1, 1, 0)',
      'new_epoch_2($1, 1, 0)',
      'drop_repository_1($1)',
      'enter($1)',
    ])
      expect(await ask(`SELECT guard.${call}`, [theirs])).toBe(NO_RIGHT);
    expect(await ask(`SELECT guard.admit_1($1, '${MINE}')`, [theirs])).toBe(NO_RIGHT);
  });

  test('that wrote what is not JSON is told so, and nobody takes that for a bug of guard', async () => {
    const repository = await newRepository(cluster, MINE);
    const store = await openPostgres({ url: urlOf(cluster, MINE), repository });
    await put(store, body({ 'path:bad': 1, 'path:good': 2 }));
    await asOwner(cluster, (client) =>
      client.query(`UPDATE guard.state SET state = '{' WHERE key = 'path:bad' AND repo =
        (SELECT repo FROM guard.repository WHERE id = '${repository}')`),
    );
    expect(await store.look(['path:bad']).then(String, codeOf)).toBe('GUARD_ERR_CORRUPT');
    expect((await store.look(['path:good'])).states.get('path:good')?.state).toBe(2);
    await store.close();
  });

  test('that was withdrawn as the page for operators says is refused there at once, and nowhere else', async () => {
    const left = await newRepository(cluster, MINE);
    expect(await ask(LOOK_2, [left])).toHaveLength(1);
    const page = readFileSync(`${PACKAGE}/docs/operate-fleet.md`, 'utf8');
    const [, sql = ''] = /```sql\n(SET ROLE guard_owner;[\s\S]*?)```/.exec(page) ?? [];
    await asOwner(cluster, (client) =>
      client.query(sql.replace("'team'", `'${MINE}'`).replace(/'[a-e-]{36}'/, `'${left}'`)),
    );
    expect(await ask(LOOK_2, [left])).toBe('GD404');
    expect(await ask(LOOK_2, [mine])).toHaveLength(1);
  });

  test('is told of a repository of others what it is told of one that is not there', async () => {
    for (const id of [theirs, randomUUID()]) {
      expect(await ask(LOOK, [id])).toBe('GD404');
      expect(await ask(LOOK_2, [id])).toBe('GD404');
      expect(await ask('SELECT guard.hello_1($1)', [id])).toBe('GD404');
      expect(await ask('SELECT guard.scan_1($1, 0, 9)', [id])).toBe('GD404');
      expect(await ask('SELECT guard.follow_1($1, 9)', [id])).toBe('GD404');
      expect(await ask('SELECT guard.leap_1($1, 9)', [id])).toBe('GD404');
    }
    const opening = openPostgres({ url: urlOf(cluster, MINE), repository: theirs });
    expect(await opening.catch(codeOf)).toBe('GUARD_ERR_ENGINE_ACCESS');
  });

  test('sees its own, whatever it sets, shadows or becomes', async () => {
    const { rows } = await asOwner(cluster, (client) =>
      client.query<{ repo: number }>('SELECT repo FROM guard.repository WHERE id = $1', [theirs]),
    );
    const repo = rows[0]?.repo ?? 0;
    await ask(`SET guard.repo = '${repo}'`);
    await ask(
      `CREATE FUNCTION pg_temp.current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT '${repo}' $$`,
    );
    await ask(
      `CREATE FUNCTION pg_temp.unnest(bytea[]) RETURNS SETOF bytea LANGUAGE sql AS $$ SELECT ''::bytea $$`,
    );
    await ask('SET search_path = pg_temp, guard, pg_catalog');
    const [{ look } = { look: '' }] = (await ask(LOOK, [mine])) as { look: string }[];
    expect(look).toContain(`"${MINE}"`);
    expect(look).not.toContain(THEIRS);
    expect(await ask('SELECT * FROM guard.state')).toBe(NO_RIGHT);
    for (const role of ['guard_owner', 'postgres', THEIRS])
      expect(await ask(`SET ROLE ${role}`)).toBe(NO_RIGHT);
    expect(await ask(`SET SESSION AUTHORIZATION ${THEIRS}`)).toBe(NO_RIGHT);
    await ask('RESET ALL');
  });

  test('is held to it by the rows, too, where a function forgets which repository it is about', async () => {
    await asOwner(cluster, (client) =>
      client.query(`
        CREATE FUNCTION guard.careless(id uuid) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER AS
          $$ BEGIN PERFORM guard.enter(id); RETURN (SELECT count(*) FROM guard.state); END $$;
        ALTER FUNCTION guard.careless(uuid) OWNER TO guard_owner;
        GRANT EXECUTE ON FUNCTION guard.careless(uuid) TO guard_agent`),
    );
    expect(await ask('SELECT guard.careless($1) AS n', [mine])).toEqual([{ n: '1' }]);
    await asOwner(cluster, (client) => client.query('DROP FUNCTION guard.careless(uuid)'));
  });

  test('cannot commit in a transaction that sees too little, or that has a number already', async () => {
    await ask('BEGIN ISOLATION LEVEL REPEATABLE READ');
    expect(await ask(LOOK, [mine])).toBe('GD409');
    await ask('ROLLBACK');
    await ask('BEGIN ISOLATION LEVEL REPEATABLE READ');
    expect(await ask(LOOK_2, [mine])).toBe('GD409');
    await ask('ROLLBACK');
    await ask('BEGIN; SELECT pg_current_xact_id()');
    const arrays = Array.from({ length: 13 }, () => `'{}'`).join(',');
    const commit = `SELECT guard.commit_1($1, $1, 0, 1, ${arrays}, '{}', '{}', 1, false)`;
    expect(await ask(commit, [mine])).toBe('GD409');
    await ask('ROLLBACK; BEGIN; SELECT pg_current_xact_id()');
    const leaner = `SELECT guard.commit_2($1, $1, 0, 1, ${arrays}, '', '{}', 1, false)`;
    expect(await ask(leaner, [mine])).toBe('GD409');
    await ask('ROLLBACK');
  });

  test('cannot guess from locks what others have: the same key has other numbers in another repository', async () => {
    const { rows } = await asOwner(cluster, (client) =>
      client.query<{ salts: string }>(
        'SELECT count(DISTINCT salt) AS salts FROM guard.repository WHERE id IN ($1, $2)',
        [mine, theirs],
      ),
    );
    expect(rows).toEqual([{ salts: '2' }]);
  });

  test('that alters its own settings keeps no guard from its work, and none of another role at all', async () => {
    const altered = [
      "default_transaction_isolation = 'serializable'",
      'default_transaction_read_only = on',
      'statement_timeout = 1',
      'standard_conforming_strings = off',
      'array_nulls = off',
      'row_security = off',
      "search_path = 'pg_temp'",
      "plpgsql.extra_errors = 'all'",
    ];
    for (const setting of altered) expect(await ask(`ALTER ROLE ${MINE} SET ${setting}`)).toEqual([]);
    for (const [role, repository] of [
      [MINE, mine],
      [THEIRS, theirs],
    ] as const) {
      const store = await openPostgres({ url: urlOf(cluster, role), repository, deadline_ms: 2_000 });
      await put(store, body({ 'path:again': role }));
      expect((await store.look(['path:again'])).get('path:again')).toBe(role);
      await store.close();
    }
    expect(await ask(`ALTER ROLE ${THEIRS} SET statement_timeout = 1`)).toBe(NO_RIGHT);
    expect(await ask(`ALTER ROLE ${THEIRS} PASSWORD 'x'`)).toBe(NO_RIGHT);
    await asOwner(cluster, (client) => client.query(`ALTER ROLE ${MINE} RESET ALL`));
  });
});
