import { expect } from 'vitest';

import { denialOf, lockCommandOf } from './client/denial.ts';
import { failedHooks, guarded, successionOf } from './client/guarded.ts';
import { naive } from './client/obedient.ts';
import { bash, edit, read, say, use } from './client/scenario.ts';
import { situation } from './client/stage.ts';

situation(
  'a parent that locked a file and delegates the work neither blocks its subagent nor overwrites it',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'a.txt': 'one\ntwo\nthree\n' });
    const file = scratch.path('a.txt');
    const child = naive([{ file, write: () => edit(file, 'two', 'TWO') }]);
    const rest = naive([{ file, write: () => edit(file, 'three', 'THREE') }]);
    const opening = [
      read(file),
      edit(file, 'one', 'ONE'),
      use('Agent', {
        description: 'Do two',
        prompt: '[[child]] Do two.',
        subagent_type: 'general-purpose',
        run_in_background: false,
      }),
    ];

    const { run, api } = await stage.play(
      scratch,
      {
        main: (seen) => {
          if (seen.step === 2) return bash(lockCommandOf(denialOf(seen.results[0])));
          const step = seen.step < 2 ? seen.step : seen.step - 2;
          return opening[step] ?? rest.turn(seen);
        },
        child: child.turn,
      },
      { prompt: '[[main]] Do one, let somebody do two, then do three.' },
    );

    expect(api.at('main', 3).results[0]?.is_error, 'the parent has the lock').toBe(false);
    expect(scratch.read('a.txt')).toBe('ONE\nTWO\nTHREE\n');
    const parent = `claude-${run.session}`;
    const holders = successionOf(scratch, 'a.txt');
    expect(
      holders.map((id) => (id === parent ? 'parent' : id.startsWith(`${parent}/`) ? 'child' : id)),
    ).toEqual(['parent', 'child', 'parent']);
    expect(rest.denied()[0], 'the parent does not know what its child wrote').toBe('STALE_FILE');
    expect(failedHooks(run)).toEqual([]);
    expect(run.result).toBe(say('Done.').text);
  },
);
