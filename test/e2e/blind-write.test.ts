import { expect } from 'vitest';

import { denialOf, lockCommandOf } from './client/denial.ts';
import { failedHooks, guarded } from './client/guarded.ts';
import { bash, read, say, write } from './client/scenario.ts';
import { situation } from './client/stage.ts';

situation(
  'under strict, a Write over a file that was never read is denied as UNREAD_FILE, and lands after reading it',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'notes.md': 'Do not lose me.\n' }, { preset: 'strict' });
    const file = scratch.path('notes.md');
    const after_denial: string[] = [];

    const { run, api } = await stage.play(
      scratch,
      {
        main: [
          write(file, 'Fresh.\n'),
          ({ results }) => {
            after_denial.push(scratch.read('notes.md'));
            return bash(lockCommandOf(denialOf(results[0])));
          },
          read(file),
          write(file, 'Do not lose me.\nFresh.\n'),
          say('Done.'),
        ],
      },
      { prompt: '[[main]] Write the notes.' },
    );

    expect(denialOf(api.at('main', 1).results[0])).toMatchObject({
      error_type: 'UNREAD_FILE',
      details: { path: file, also: ['NOT_LOCKED'] },
    });
    expect(after_denial).toEqual(['Do not lose me.\n']);
    expect(api.results('main').map(({ is_error }) => is_error)).toEqual([true, false, false, false]);
    expect(scratch.read('notes.md')).toBe('Do not lose me.\nFresh.\n');
    expect(failedHooks(run)).toEqual([]);
  },
);

situation('under strict, a file that does not exist yet needs a lock but no reading', async ({ stage }) => {
  const scratch = guarded(stage, {}, { preset: 'strict' });
  const file = scratch.path('new/notes.md');

  const { api } = await stage.play(
    scratch,
    {
      main: [
        write(file, 'Fresh.\n'),
        ({ results }) => bash(lockCommandOf(denialOf(results[0]))),
        write(file, 'Fresh.\n'),
        say('Done.'),
      ],
    },
    { prompt: '[[main]] Write the notes.' },
  );

  const denial = denialOf(api.at('main', 1).results[0]);
  expect(denial.error_type).toBe('NOT_LOCKED');
  expect(denial.details.also).toBeUndefined();
  expect(scratch.read('new/notes.md')).toBe('Fresh.\n');
});
