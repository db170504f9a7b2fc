import { expect } from 'vitest';

import { denialOf } from './client/denial.ts';
import { makeGate } from './client/gate.ts';
import { failedHooks, guarded } from './client/guarded.ts';
import { edit, read, say } from './client/scenario.ts';
import { situation } from './client/stage.ts';

situation(
  'under auto the first write takes the lock by itself, and the second client is denied by name of the first',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'a.txt': 'one\ntwo\n' }, { preset: 'auto' });
    const file = scratch.path('a.txt');
    const [written, refused] = [makeGate(), makeGate()];
    const api = await stage.api({
      first: [
        read(file),
        edit(file, 'one', 'ONE'),
        async () => {
          written.open();
          await refused.opened;
          return say('Done.');
        },
      ],
      second: [
        async () => {
          await written.opened;
          return read(file);
        },
        edit(file, 'two', 'TWO'),
        () => {
          refused.open();
          return say('I leave it.');
        },
      ],
    });

    const [first, second] = await Promise.all([
      stage.start(api, scratch, { prompt: '[[first]] Do one.' }).done,
      stage.start(api, scratch, { prompt: '[[second]] Do two.' }).done,
    ]);

    expect(api.results('first').map(({ is_error }) => is_error)).toEqual([false, false]);
    expect(denialOf(api.at('second', 2).results[0])).toMatchObject({
      error_type: 'LOCKED_BY_OTHER',
      details: { holder: `claude-${first.session}` },
    });
    expect(scratch.read('a.txt')).toBe('ONE\ntwo\n');
    expect([first, second].flatMap(failedHooks)).toEqual([]);
  },
);
