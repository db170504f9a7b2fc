import { expect } from 'vitest';

import { denialOf, lockCommandOf } from './client/denial.ts';
import { makeGate } from './client/gate.ts';
import { failedHooks, guarded, holdersOf } from './client/guarded.ts';
import { bash, edit, read, say } from './client/scenario.ts';
import { situation } from './client/stage.ts';

situation(
  'two clients that resume one session are two agents: the second is refused by name of the first',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'a.txt': 'one\ntwo\n' });
    const file = scratch.path('a.txt');
    const { run: begun } = await stage.play(
      scratch,
      { begin: [read(file), say('Read.')] },
      { prompt: '[[begin]] Read it.' },
    );
    const [first_is_here, first_holds] = [makeGate(), makeGate()];
    const [second_was_refused, first_is_done] = [makeGate(), makeGate()];
    let lock = '';
    const api = await stage.api({
      first: [
        () => {
          first_is_here.open();
          return edit(file, 'one', 'ONE');
        },
        ({ results }) => bash((lock = lockCommandOf(denialOf(results[0])))),
        async () => {
          first_holds.open();
          await second_was_refused.opened;
          return edit(file, 'one', 'ONE');
        },
        () => {
          first_is_done.open();
          return say('Done.');
        },
      ],
      second: [
        async () => {
          await first_holds.opened;
          return edit(file, 'two', 'TWO');
        },
        async () => {
          second_was_refused.open();
          await first_is_done.opened;
          return bash(lock.replace(' lock try ', ' lock wait '));
        },
        read(file),
        edit(file, 'two', 'TWO'),
        say('Done.'),
      ],
    });

    const first = stage.start(api, scratch, { prompt: '[[first]] Do one.', resume: begun.session });
    await first_is_here.opened;
    const second = stage.start(api, scratch, { prompt: '[[second]] Do two.', resume: begun.session });
    const runs = await Promise.all([first.done, second.done]);

    expect(runs.map(({ session }) => session)).toEqual([begun.session, begun.session]);
    expect(scratch.read('a.txt')).toBe('ONE\nTWO\n');
    const holders = [...new Set(holdersOf(scratch, 'a.txt').flat())];
    expect(holders).toEqual([`claude-${begun.session}`, `claude-${begun.session}~2`]);
    const denial = denialOf(api.at('second', 1).results[0]);
    // The read belongs to the first process, so for the second one the file also counts as unread.
    expect([denial.error_type, ...(denial.details.also ?? [])]).toEqual(
      expect.arrayContaining(['LOCKED_BY_OTHER', 'UNREAD_FILE']),
    );
    expect(denial.details.holder).toBe(holders[0]);
    expect(runs.flatMap(failedHooks)).toEqual([]);
  },
);
