/** An agent in one long call is not idle. Times are scaled down: idle after 5 s, leases of 10 s, a call of 22 s. */
import { describe, expect } from 'vitest';

import { makeGate } from './client/gate.ts';
import { failedHooks, guarded, logOf, successionOf } from './client/guarded.ts';
import { type Agent, obedient } from './client/obedient.ts';
import { bash, delegate } from './client/scenario.ts';
import type { ClientRun } from './client/run.ts';
import type { Scratch } from './client/scratch.ts';
import { situation, type Stage } from './client/stage.ts';
import { replace } from './client/steps.ts';

const SHORT = { ttl: '10s', idle: '5s', allow_weaker: true };

const make = (stage: Stage): Scratch =>
  guarded(stage, { 'x.txt': 'one\ntwo\n' }, { on_path: true, allow: ['Bash'], config: SHORT });

/** Waits for the file once `busy` signals, and changes its second line. */
const waiter = (scratch: Scratch): Agent =>
  obedient(async function* (hands) {
    const x = scratch.path('x.txt');
    yield* hands.take(bash(`guard lock wait ${x} --timeout 80s`));
    yield* hands.read(x);
    yield* hands.write(replace(x, 'two', 'TWO'));
  });

interface Played {
  readonly scratch: Scratch;
  readonly agents: readonly Agent[];
  readonly runs: readonly ClientRun[];
}

function expectKept({ scratch, agents, runs }: Played): void {
  expect(agents.flatMap((agent) => agent.denied())).toEqual([]);
  expect(agents.map(({ book }) => book.waited_in_vain)).toEqual(agents.map(() => 0));
  expect(logOf(scratch, '--type', 'revoke')).toEqual([]);
  expect(successionOf(scratch, 'x.txt')).toEqual(runs.map(({ session }) => `claude-${session}`));
  expect(scratch.read('x.txt')).toBe('ONE\nTWO\n');
  expect(runs.flatMap(failedHooks)).toEqual([]);
}

describe.concurrent('an agent in a long call', () => {
  situation(
    'keeps its lock through a command of 22 s, and the next one gets it after the edit that follows',
    async ({ stage }) => {
      const scratch = make(stage);
      const x = scratch.path('x.txt');
      const busy = makeGate();
      const testing = obedient(async function* (hands) {
        yield* hands.lock(x);
        yield* hands.read(x);
        busy.open();
        yield* hands.call(bash('sleep 22'));
        yield* hands.write(replace(x, 'one', 'ONE'));
      });
      const next = waiter(scratch);
      const api = await stage.api({ testing: testing.turn, next: next.turn });
      const first = stage.start(api, scratch, { prompt: '[[testing]] Test, then change x.' });
      await busy.opened;
      const second = stage.start(api, scratch, { prompt: '[[next]] Change x.' });
      const runs = await Promise.all([first.done, second.done]);
      expectKept({ scratch, agents: [testing, next], runs });
    },
  );

  situation('keeps its lock while its subagent works for longer than a lease lasts', async ({ stage }) => {
    const scratch = make(stage);
    const x = scratch.path('x.txt');
    const busy = makeGate();
    const parent = obedient(async function* (hands) {
      yield* hands.lock(x);
      yield* hands.read(x);
      yield* hands.call(delegate('child'));
      yield* hands.write(replace(x, 'one', 'ONE'));
    });
    const child = obedient(async function* (hands) {
      busy.open();
      for (let call = 0; call < 4; call++) yield* hands.call(bash(`sleep 4; echo ${call}`));
    });
    const next = waiter(scratch);
    const api = await stage.api({ parent: parent.turn, child: child.turn, next: next.turn });
    const first = stage.start(api, scratch, {
      prompt: '[[parent]] Have it looked at, then change x.',
      mode: 'default',
    });
    await busy.opened;
    const second = stage.start(api, scratch, { prompt: '[[next]] Change x.' });
    const runs = await Promise.all([first.done, second.done]);
    expectKept({ scratch, agents: [parent, next], runs });
  });
});
