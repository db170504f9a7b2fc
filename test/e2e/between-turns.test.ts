import { expect } from 'vitest';

import { denialOf, lockCommandOf } from './client/denial.ts';
import { guarded } from './client/guarded.ts';
import { bash, edit, read, say } from './client/scenario.ts';
import { situation } from './client/stage.ts';

situation(
  'read and plan, somebody edits, go ahead: the edit is denied as UNREAD_FILE and the other change stays',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'a.txt': 'one\ntwo\n' });
    const file = scratch.path('a.txt');
    const change = edit(file, 'two', 'TWO');
    const planned = await stage.play(
      scratch,
      { plan: [read(file), say('I would write two in capitals.')] },
      { prompt: '[[plan]] Plan.' },
    );

    scratch.write('a.txt', 'one\ntwo\nthree\n');
    const { api, run } = await stage.play(
      scratch,
      {
        go: [
          change,
          ({ results }) => bash(lockCommandOf(denialOf(results[0]))),
          change,
          read(file),
          change,
          say('Done.'),
        ],
      },
      { prompt: '[[go]] Go ahead.', resume: planned.run.session },
    );

    expect(run.session).toBe(planned.run.session);
    expect(denialOf(api.at('go', 1).results[0])).toMatchObject({
      error_type: 'UNREAD_FILE',
      details: { path: file },
    });
    expect(denialOf(api.at('go', 3).results[0]).error_type).toBe('UNREAD_FILE');
    expect(scratch.read('a.txt')).toBe('one\nTWO\nthree\n');
  },
);

situation(
  'read and plan, nobody edits, go ahead: the edit lands without reading again',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'a.txt': 'one\ntwo\n' });
    const file = scratch.path('a.txt');
    const change = edit(file, 'two', 'TWO');
    const planned = await stage.play(
      scratch,
      { plan: [read(file), say('I would write two in capitals.')] },
      { prompt: '[[plan]] Plan.' },
    );

    const { api } = await stage.play(
      scratch,
      { go: [change, ({ results }) => bash(lockCommandOf(denialOf(results[0]))), change, say('Done.')] },
      { prompt: '[[go]] Go ahead.', resume: planned.run.session },
    );

    expect(denialOf(api.at('go', 1).results[0]).error_type).toBe('NOT_LOCKED');
    expect(scratch.read('a.txt')).toBe('one\nTWO\n');
  },
);
