import { expect, it } from 'vitest';
import { sceneIn } from '../../src/core/scene.ts';
import { agent, World } from './world.ts';

it('a wait is as old as its place in the queue, however often it is renewed', () => {
  const world = new World();
  const [ann, bob] = [agent('ann'), agent('bob')];
  world.lock(ann, 'a.ts');
  const begun_ms = world.wall_ms;
  const until = world.mono_ms + 600_000;
  const begun_lsn = world.lsn;
  for (let polls = 0; polls < 8; polls++) {
    world.run({
      ...{ type: 'lock.acquire', who: bob, paths: ['a.ts'], mode: 'exclusive', ttl_ms: null, all: false },
      wait_until_mono_ms: until,
    });
    world.pass(20_000);
    world.lock(ann, 'a.ts');
  }
  const { waits } = world.look(sceneIn);
  expect(waits.map(({ from, since, lsn }) => [from, since, lsn])).toEqual([
    [bob.id, new Date(begun_ms).toISOString(), begun_lsn],
  ]);
});
