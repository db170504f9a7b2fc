/** What guard says must be sufficient on every client, including old ones that do not tell commands their session. */
import { expect } from 'vitest';

import { failedHooks, guarded, successionOf } from './client/guarded.ts';
import { naive, obedient } from './client/obedient.ts';
import { situation } from './client/stage.ts';
import { replace } from './client/steps.ts';

situation(
  'a write that was refused lands after the lock command of the refusal, and the lock is given back',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'a.txt': 'one\n' }, { on_path: true });
    const agent = obedient(async function* (hands) {
      const job = replace(scratch.path('a.txt'), 'one', 'two');
      yield* hands.read(job.file);
      yield* hands.write(job);
      yield* hands.release(job.file);
    });
    const { run } = await stage.play(scratch, { main: agent.turn }, { prompt: '[[main]] Change a.' });

    expect(agent.denied()).toEqual(['NOT_LOCKED']);
    expect(agent.book.unclear).toEqual([]);
    expect(agent.book.gave_up).toBeNull();
    expect(scratch.read('a.txt')).toBe('two\n');
    expect(successionOf(scratch, 'a.txt')).toEqual([`claude-${run.session}`]);
    expect(failedHooks(run)).toEqual([]);
  },
);

situation('an agent that locks as the text at its start says is refused nothing', async ({ stage }) => {
  const scratch = guarded(stage, { 'a.txt': 'one\n', 'b.txt': 'one\n' }, { on_path: true });
  const files = ['a.txt', 'b.txt'].map((name) => scratch.path(name));
  const agent = obedient(async function* (hands) {
    expect(yield* hands.lock(...files), 'told how').toBe(true);
    yield* hands.read(...files);
    yield* hands.write(...files.map((file) => replace(file, 'one', 'two')));
  });
  const { run } = await stage.play(scratch, { main: agent.turn }, { prompt: '[[main]] Change both.' });

  expect(agent.denied()).toEqual([]);
  expect(agent.book.calls).toBe(1 + 2 + 2);
  expect([scratch.read('a.txt'), scratch.read('b.txt')]).toEqual(['two\n', 'two\n']);
  expect(successionOf(scratch, 'b.txt')).toEqual([`claude-${run.session}`]);
});

situation('two sessions that edit one file as they are told both end up in it', async ({ stage }) => {
  const scratch = guarded(stage, { 'a.txt': 'one\ntwo\n' }, { on_path: true });
  const file = scratch.path('a.txt');
  const [a, b] = [naive([replace(file, 'one', 'ONE')]), naive([replace(file, 'two', 'TWO')])];
  const api = await stage.api({ a: a.turn, b: b.turn });
  const runs = await Promise.all([
    stage.start(api, scratch, { prompt: '[[a]] Change the first line.' }).done,
    stage.start(api, scratch, { prompt: '[[b]] Change the second line.' }).done,
  ]);

  expect([a, b].map(({ book }) => [book.gave_up, book.unclear])).toEqual([
    [null, []],
    [null, []],
  ]);
  expect(scratch.read('a.txt')).toBe('ONE\nTWO\n');
  expect(new Set(successionOf(scratch, 'a.txt'))).toEqual(
    new Set(runs.map(({ session }) => `claude-${session}`)),
  );
});
