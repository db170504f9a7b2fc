import { expect } from 'vitest';

import { denialOf, lockCommandOf } from './client/denial.ts';
import { failedHooks, guarded, holderOf } from './client/guarded.ts';
import { bash, edit, read, say } from './client/scenario.ts';
import { situation } from './client/stage.ts';

situation(
  'an unlocked write is denied with the command that locks, which then runs without asking, and the write lands',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'a b.txt': 'one\n' });
    const file = scratch.path('a b.txt');
    const change = edit(file, 'one', 'ONE');
    const holders: (string | null)[] = [];
    const note = (): void => void holders.push(holderOf(scratch, 'a b.txt'));

    const { run, api } = await stage.play(
      scratch,
      {
        main: [
          read(file),
          change,
          ({ results }) => {
            note();
            return bash(lockCommandOf(denialOf(results[0])));
          },
          () => {
            note();
            return change;
          },
          say('Done.'),
        ],
      },
      { prompt: '[[main]] Write it in capitals.' },
    );
    note();

    const denial = denialOf(api.at('main', 2).results[0]);
    expect(denial).toMatchObject({ error_type: 'NOT_LOCKED', details: { path: file } });
    expect(denial.message).toContain(lockCommandOf(denial));
    expect(api.results('main').map(({ is_error }) => is_error)).toEqual([false, true, false, false]);
    expect(scratch.read('a b.txt')).toBe('ONE\n');
    expect(holders, 'before, with the lock, after the turn').toEqual([null, `claude-${run.session}`, null]);
    expect(failedHooks(run)).toEqual([]);
  },
);
