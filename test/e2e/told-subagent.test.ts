import { expect } from 'vitest';

import { failedHooks, guarded } from './client/guarded.ts';
import { bash, edit, read, say, use } from './client/scenario.ts';
import { situation } from './client/stage.ts';

/** The whole text of a request, whatever form the client gives to hook texts. */
const wordsOf = (request: object | undefined): string => JSON.stringify(request ?? {});
const COMMAND = /one Bash call, before you read them: (.+? lock try) FILE/;

situation(
  'a subagent reads at its start how to lock, and does so with the command as it stands',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'a.txt': 'one\n', 'b.txt': 'one\n' });
    const files = ['a.txt', 'b.txt'].map((name) => scratch.path(name));
    const [a = '', b = ''] = files;
    let command: string | undefined;

    const { run } = await stage.play(
      scratch,
      {
        main: [
          use('Agent', {
            description: 'Do it',
            prompt: '[[child]] Do it.',
            subagent_type: 'general-purpose',
            run_in_background: false,
          }),
          say('Done.'),
        ],
        child: [
          ({ request }) => {
            [, command] = COMMAND.exec(wordsOf(request)) ?? [];
            return bash(`${command ?? 'false'} ${files.join(' ')}`);
          },
          read(a),
          read(b),
          edit(a, 'one', 'two'),
          edit(b, 'one', 'two'),
          say('Done.'),
        ],
      },
      { prompt: '[[main]] Let somebody do it.' },
    );

    // Clients before 2.1.200 do not support this event in their settings.
    const isTold = run.hooks.some(({ hook_event }) => hook_event === 'SubagentStart');
    expect(command !== undefined, 'the client handed it on').toBe(isTold);
    const now = isTold ? 'two\n' : 'one\n';
    expect([scratch.read('a.txt'), scratch.read('b.txt')]).toEqual([now, now]);
    expect(failedHooks(run)).toEqual([]);
  },
);
