/** Cycles of waits that pass through a foreground subagent, and one whose victim does not let go. */
import { expect } from 'vitest';

import { makeGate } from './client/gate.ts';
import { failedHooks, guarded, logOf, type LogRecord, waits } from './client/guarded.ts';
import { type Agent, obedient } from './client/obedient.ts';
import { bash, delegate } from './client/scenario.ts';
import type { Scratch } from './client/scratch.ts';
import { situation, situationWith } from './client/stage.ts';
import { replace } from './client/steps.ts';

const FILES = { 'x.txt': 'one\ntwo\n', 'y.txt': 'one\ntwo\n' };
const wait = (file: string): string => `guard lock wait ${file} --timeout 20s`;
const at = (record: LogRecord | undefined): number => Date.parse(String(record?.['ts']));

/** No obedient agent waited until its wait ended, and both changes are in both files. */
function expectSolved(scratch: Scratch, agents: readonly Agent[], obeyed = agents): void {
  expect(agents.map(({ book }) => book.gave_up)).toEqual(agents.map(() => null));
  expect(obeyed.map(({ book }) => book.waited_in_vain)).toEqual(obeyed.map(() => 0));
  expect(agents.flatMap(({ book }) => book.unclear)).toEqual([]);
  expect([scratch.read('x.txt'), scratch.read('y.txt')]).toEqual(['ONE\nTWO\n', 'ONE\nTWO\n']);
}

for (const closes of ['the child', 'the other session'] as const) {
  situationWith('subagent_start')(
    `a parent holds, its child waits for another session, that one for the parent: found at once when ${closes} closes the circle`,
    async ({ stage }) => {
      const scratch = guarded(stage, FILES, { on_path: true });
      const [x, y] = [scratch.path('x.txt'), scratch.path('y.txt')];
      const [child_there, other_holds, child_may, other_may] = [
        makeGate(),
        makeGate(),
        makeGate(),
        makeGate(),
      ];
      const habits = { patience: 1 };
      const parent = obedient(async function* (hands) {
        yield* hands.lock(x);
        yield* hands.read(x);
        yield* hands.call(delegate('child'));
        yield* hands.write(replace(x, 'one', 'ONE'));
      }, habits);
      const child = obedient(async function* (hands) {
        child_there.open();
        await child_may.opened;
        yield* hands.take(bash(wait(y)));
        yield* hands.read(y);
        yield* hands.write(replace(y, 'one', 'ONE'));
        yield* hands.release(y);
      }, habits);
      const other = obedient(async function* (hands) {
        yield* hands.take(bash(`guard lock try ${y}`));
        other_holds.open();
        await other_may.opened;
        yield* hands.take(bash(wait(x)));
        yield* hands.read(x, y);
        yield* hands.write(replace(x, 'two', 'TWO'), replace(y, 'two', 'TWO'));
        yield* hands.release(x, y);
      }, habits);
      const api = await stage.api({ parent: parent.turn, child: child.turn, other: other.turn });

      const first = stage.start(api, scratch, {
        prompt: '[[parent]] Change x, have y changed.',
        mode: 'default',
      });
      await child_there.opened;
      const second = stage.start(api, scratch, { prompt: '[[other]] Change both.', mode: 'default' });
      await other_holds.opened;
      const [one, two] = [await first.session(), await second.session()];
      const order = [
        { may: child_may, session: one, path: 'y.txt' },
        { may: other_may, session: two, path: 'x.txt' },
      ];
      const [open, close] = closes === 'the child' ? order.reverse() : order;
      open?.may.open();
      await waits(scratch, open?.session ?? '', open?.path ?? '');
      close?.may.open();
      const runs = await Promise.all([first.done, second.done]);

      const [found, ...more] = logOf(scratch, '--type', 'deadlock');
      expect(more).toEqual([]);
      expect(found?.['victim'], 'one that can act, never the parent that waits for its child').toMatch(
        new RegExp(`^claude-(?:${one}/.+|${two})$`),
      );
      const closing = logOf(scratch, '--type', 'wait').findLast(
        ({ lsn, path, kind }) => lsn <= (found?.lsn ?? 0) && path === close?.path && kind !== 'wanted',
      );
      expect(at(found) - at(closing), 'in the transaction that closes it').toBeLessThan(1_000);
      expect([...child.book.let_go, ...other.book.let_go].length).toBe(1);
      expectSolved(scratch, [parent, child, other]);
      expect(logOf(scratch, '--type', 'revoke').filter(({ cause }) => cause === 'idle')).toEqual([]);
      expect(runs.flatMap(failedHooks)).toEqual([]);
    },
  );
}

situation(
  'a victim that waits again instead of letting go loses what it holds in the circle after its second refusal',
  async ({ stage }) => {
    const scratch = guarded(stage, FILES, { on_path: true });
    const [x, y] = [scratch.path('x.txt'), scratch.path('y.txt')];
    const [old_holds, young_holds] = [makeGate(), makeGate()];
    const old = obedient(
      async function* (hands) {
        yield* hands.take(bash(`guard lock try ${x}`));
        old_holds.open();
        await young_holds.opened;
        yield* hands.take(bash(wait(y)));
        yield* hands.read(x, y);
        yield* hands.write(replace(x, 'one', 'ONE'), replace(y, 'one', 'ONE'));
        yield* hands.release(x, y);
      },
      { patience: 1 },
    );
    let sessions: readonly string[] = [];
    const young = obedient(
      async function* (hands) {
        yield* hands.take(bash(`guard lock try ${y}`));
        young_holds.open();
        await waits(scratch, sessions[0] ?? '', 'y.txt');
        // After it has lost y, it waits for the other session to finish everything.
        yield* hands.take(bash(`guard lock wait ${x} --timeout 60s`));
        yield* hands.read(x, y);
        yield* hands.write(replace(x, 'two', 'TWO'), replace(y, 'two', 'TWO'));
      },
      { patience: 8, stubborn: true },
    );
    const api = await stage.api({ old: old.turn, young: young.turn });

    const first = stage.start(api, scratch, { prompt: '[[old]] Change both.' });
    await old_holds.opened;
    sessions = [await first.session()];
    const second = stage.start(api, scratch, { prompt: '[[young]] Change both.' });
    const runs = await Promise.all([first.done, second.done]);

    const told = young.book.lock_answers.filter((text) => /^Deadlock: |"DEADLOCK"/m.test(text));
    expect(told.length, 'told twice, then no more').toBeLessThanOrEqual(3);
    expect(logOf(scratch, '--type', 'revoke')).toMatchObject([
      { agent: `claude-${runs[1].session}`, cause: 'deadlock' },
    ]);
    expect(young.book.let_go).toEqual([]);
    expectSolved(scratch, [old, young], [old]);
    expect(runs.flatMap(failedHooks)).toEqual([]);
  },
);
