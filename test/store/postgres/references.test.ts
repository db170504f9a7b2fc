import { beforeAll, describe, expect, test } from 'vitest';
import type { Key, RecordBody } from '../../../src/core/ledger.ts';
import { openPostgres } from '../../../src/store/postgres/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { put } from '../contract/bench.ts';
import { body } from '../contract/worker.ts';
import { type Cluster, connectTo } from './cluster.ts';
import { hasPostgres } from './programs.ts';
import { newRepository, sharedCluster, urlOf } from './shared.ts';

const held = (...agents: string[]) => ({ holds: agents.map((agent) => ({ agent, mode: 'shared' })) });

describe.skipIf(!hasPostgres())('a look at a file that is held', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await sharedCluster();
  });

  async function withStore(use: (store: Store<'later'>, repository: string) => Promise<void>): Promise<void> {
    const repository = await newRepository(cluster);
    const store = await openPostgres({ url: urlOf(cluster), repository });
    try {
      await use(store, repository);
    } finally {
      await store.close();
    }
  }

  const states = async (store: Store<'later'>, keys: readonly Key[]): Promise<unknown> =>
    Object.fromEntries([...(await store.look(keys)).states].map(([key, { state }]) => [key, state]));

  test('includes its holder and the machine of that, of the same moment, also where nothing is known of them', () =>
    withStore(async (store) => {
      const agent = { id: 'a', machine: { id: 'm', epoch: 1 } };
      await put(store, body({ 'path:f': held('a', 'b'), 'path:g': held('é'), 'path:free': held() }));
      await put(store, body({ 'agent:a': agent, 'machine:m': { up: true } }));
      expect(await states(store, ['path:f', 'path:free'])).toEqual({
        ...{ 'path:f': held('a', 'b'), 'path:free': held() },
        ...{ 'agent:a': agent, 'machine:m': { up: true } },
      });
      expect(await states(store, ['path:g'])).toEqual({ 'path:g': held('é'), 'agent:é': undefined });
      // Who asks for it gets it once; who asks for no file gets what it asked for.
      expect(await states(store, ['machine:m', 'path:f', 'agent:a'])).toMatchObject({ 'agent:a': agent });
      expect(await states(store, ['agent:a'])).toEqual({ 'agent:a': agent });
    }));

  test('is not led astray by names that contain quotes, marks or halves of pairs', () =>
    withStore(async (store) => {
      const odd = ['"', '\\', '"holds":[{"agent":"x', '\ud800', '\u001e0\u001e', '\u0000'];
      for (const agent of odd) {
        await put(store, body({ 'path:f': held(agent) }));
        expect((await store.look(['path:f'])).get('path:f')).toEqual(held(agent));
      }
    }));

  test('a guard of before and this one keep out each other', () =>
    withStore(async (store, repository) => {
      const old = await connectTo(cluster);
      const { tip } = await store.look(['path:f']);
      const none = "'{}','{}','{}','{}','{}'";
      const text = `SELECT verdict FROM guard.commit_1($1, gen_random_uuid(), 0, ${tip}, ARRAY['path:f'::bytea], '{0}',
        ${none},'{}','{}', ARRAY['path:f'::bytea], '{NULL}', '{0}', '{NULL}', ARRAY['1' || E'\\x1f' || '{}'], '{}', 1, false)`;
      await old.query('BEGIN');
      expect((await old.query(text, [repository])).rows).toEqual([{ verdict: 'done' }]);
      const records: readonly RecordBody[] = [body({ 'path:f': 2 })];
      const later = store.commit({ tip, keys: new Map([['path:f', 0]]), lists: [] }, records);
      const waited = await Promise.race([later, new Promise((resolve) => setTimeout(resolve, 100, 'waits'))]);
      await old.query('COMMIT');
      expect([waited, (await later).verdict]).toEqual(['waits', 'moved']);
      await old.end();
    }));
});
