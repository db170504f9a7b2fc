import { it } from 'vitest';
import { act, castOf } from '../core/deadlock/histories.ts';
import { arrows } from '../core/deadlock/oracle.ts';
it('x', () => {
  const cast = castOf(Number(process.env.SEED));
  const { world } = cast;
  for (let n = 0; n <= Number(process.env.EV); n++) {
    const before = world.records.length;
    act(cast);
    console.log(n, world.mono_ms, JSON.stringify(world.records.slice(before).map(({ s, ts_ms, ...r }) => r)));
  }
  const all = arrows({ states: world.states, mono_ms: world.mono_ms, dead: world.dead, idle_ms: world.policy.idle_ms, calls: cast.calls });
  console.log(JSON.stringify(all, null, 0));
  for (const [k, v] of world.states) if (k.startsWith('agent:') || k.startsWith('wait:')) console.log(k, JSON.stringify(v));
  console.log([...world.dead]);
});
