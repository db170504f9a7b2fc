import { expect } from 'vitest';

import { denialOf, lockCommandOf } from './client/denial.ts';
import { guarded, logOf, userSettings } from './client/guarded.ts';
import { bash, edit, read, say } from './client/scenario.ts';
import { situation } from './client/stage.ts';

/** Longer than the locks would last without it. */
const CHECK =
  'if [ -e .git/checked ]; then exit 0; fi; touch .git/checked; sleep 4; echo "tests fail, go on" >&2; exit 2';

situation('a Stop hook that sends the agent back to work finds its locks still there', async ({ stage }) => {
  const scratch = guarded(stage, { 'a.txt': 'one\n', 'b.txt': 'one\n' });
  userSettings(scratch, {
    permissions: { allow: ['Read', 'Edit'] },
    hooks: { Stop: [{ hooks: [{ type: 'command', command: CHECK, timeout: 30 }] }] },
  });
  const [a, b] = [scratch.path('a.txt'), scratch.path('b.txt')];
  const stolen: (number | null)[] = [];
  const { api } = await stage.play(
    scratch,
    {
      go: [
        edit(a, 'one', 'two'),
        ({ results }) => bash(`${lockCommandOf(denialOf(results[0]))} ${b}`),
        read(a),
        read(b),
        edit(a, 'one', 'two'),
        say('Done.'),
        () => {
          stolen.push(scratch.guard('lock', 'try', 'b.txt', '--agent', 'somebody').code);
          return edit(b, 'one', 'two');
        },
        say('Really done.'),
      ],
    },
    { prompt: '[[go]] Change both.' },
  );

  expect(stolen).toEqual([1]);
  expect(api.results('go').map(({ is_error }) => is_error)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
  expect([scratch.read('a.txt'), scratch.read('b.txt')]).toEqual(['two\n', 'two\n']);
  expect(logOf(scratch, '--type', 'write.rejected')).toHaveLength(1);
  expect(logOf(scratch, '--type', 'turn').map(({ phase }) => phase)).toEqual(['start', 'end', 'end']);
});
