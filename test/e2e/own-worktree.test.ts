import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';

import { failedHooks, guarded, logOf } from './client/guarded.ts';
import { edit, read, say, use } from './client/scenario.ts';
import type { Seen } from './client/scenario.ts';
import type { Scratch } from './client/scratch.ts';
import { situation } from './client/stage.ts';

/** A checkout of its own has what is committed and nothing else. */
function committed(scratch: Scratch): Scratch {
  scratch.git('add', '-A', '.');
  scratch.git('commit', '-q', '-m', 'Guarded');
  return scratch;
}

const granted = (scratch: Scratch): readonly unknown[] =>
  logOf(scratch, '--type', 'hold').map(({ auto, paths }) => [auto, paths]);

situation(
  'a subagent in a worktree of its own edits there at once, under a lock that the write takes',
  async ({ stage }) => {
    const scratch = committed(guarded(stage, { 'a.txt': 'one\n' }));
    /** The client says in the subagent's request where it works. */
    const place = ({ request }: Seen): string =>
      /[^\s"\\]+\/\.claude\/worktrees\/agent-[0-9a-f]+/.exec(JSON.stringify(request))?.[0] ?? '/nowhere';
    let dir = '';

    const { run } = await stage.play(
      scratch,
      {
        main: [
          use('Agent', {
            description: 'Do it',
            prompt: '[[child]] Do it.',
            subagent_type: 'general-purpose',
            run_in_background: false,
            isolation: 'worktree',
          }),
          say('Done.'),
        ],
        child: [
          (seen) => read(join((dir = place(seen)), 'a.txt')),
          () => edit(join(dir, 'a.txt'), 'one', 'two'),
          say('Done.'),
        ],
      },
      { prompt: '[[main]] Let somebody do it in a worktree.' },
    );

    expect(existsSync(join(dir, 'a.txt')) && readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('two\n');
    expect(granted(scratch)).toEqual([[true, [expect.stringMatching(/^\/\/agent-\w+\/a\.txt$/)]]]);
    expect(logOf(scratch, '--type', 'write.rejected')).toEqual([]);
    expect(failedHooks(run)).toEqual([]);
  },
);

situation('a session in a worktree of its own edits there at once', async ({ stage }) => {
  const scratch = committed(guarded(stage, { 'a.txt': 'one\n' }));
  const file = scratch.path('.claude/worktrees/wtx/a.txt');
  const { run } = await stage.play(
    scratch,
    { main: [read(file), edit(file, 'one', 'two'), say('Done.')] },
    { prompt: '[[main]] Do it.', args: ['--worktree', 'wtx'] },
  );
  expect(readFileSync(file, 'utf8')).toBe('two\n');
  expect(granted(scratch)).toEqual([[true, ['//wtx/a.txt']]]);
  expect(failedHooks(run)).toEqual([]);
});
