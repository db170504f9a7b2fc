import { expect } from 'vitest';

import { denialOf, lockCommandOf } from './client/denial.ts';
import { makeGate } from './client/gate.ts';
import { failedHooks, guarded, holdersOf } from './client/guarded.ts';
import { bash, both, edit, read, say, use } from './client/scenario.ts';
import type { Answer } from './client/scenario.ts';
import { situation } from './client/stage.ts';

const agent = (marker: string): Answer =>
  use('Agent', {
    description: `Agent ${marker}`,
    prompt: `[[${marker}]] Do your part.`,
    subagent_type: 'general-purpose',
  });

interface Tried {
  readonly results: readonly { readonly acquired: boolean; readonly holder: string | null }[];
}

/** What `lock try --json` printed; the client puts the exit code before it where it is not 0. */
const triedIn = (text: string): Tried => JSON.parse(text.slice(text.indexOf('{'))) as Tried;

situation(
  'two parallel subagents lock one file through Bash, each under its own id, and both changes are in it',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'a.txt': 'one\ntwo\n' });
    const file = scratch.path('a.txt');
    const [first_holds, second_was_refused, first_is_done] = [makeGate(), makeGate(), makeGate()];
    let [lock, refusal] = ['', ''];
    const asJson = (command: string): string => `${command} --json`;
    const unlock = (): Answer => bash(lock.replace(' lock try ', ' lock release '));

    const { run, api } = await stage.play(
      scratch,
      {
        main: ({ step }) => (step === 0 ? both(agent('first'), agent('second')) : say('Waiting.')),
        first: [
          read(file),
          edit(file, 'one', 'ONE'),
          ({ results }) => bash(asJson((lock = lockCommandOf(denialOf(results[0]))))),
          async () => {
            first_holds.open();
            await second_was_refused.opened;
            return edit(file, 'one', 'ONE');
          },
          unlock,
          () => {
            first_is_done.open();
            return say('Done.');
          },
        ],
        second: [
          read(file),
          async () => {
            await first_holds.opened;
            return bash(asJson(lock));
          },
          async ({ results }) => {
            refusal = results[0]?.text ?? '';
            second_was_refused.open();
            await first_is_done.opened;
            return bash(asJson(lock));
          },
          read(file),
          edit(file, 'two', 'TWO'),
          say('Done.'),
        ],
      },
      { prompt: '[[main]] Let two agents do it.', mode: 'default' },
    );

    expect(scratch.read('a.txt')).toBe('ONE\nTWO\n');
    const ids = [...new Set(holdersOf(scratch, 'a.txt').flat())];
    expect(ids).toHaveLength(2);
    for (const id of ids) expect(id).toMatch(new RegExp(`^claude-${run.session}/.+`));
    expect(triedIn(api.at('first', 3).results[0]?.text ?? '').results[0]?.acquired).toBe(true);
    expect(triedIn(refusal).results[0]).toMatchObject({ acquired: false, holder: ids[0] });
    expect(Math.max(...holdersOf(scratch, 'a.txt').map((holders) => holders.length))).toBe(1);
    expect(failedHooks(run)).toEqual([]);
  },
);
