import { expect } from 'vitest';

import { denialOf, lockCommandOf } from './client/denial.ts';
import { makeGate } from './client/gate.ts';
import { failedHooks, guarded, holdersOf, logOf, userSettings } from './client/guarded.ts';
import { type Agent, obedient } from './client/obedient.ts';
import { type Answer, bash, both, delegate, edit, read, say, use } from './client/scenario.ts';
import type { Scratch } from './client/scratch.ts';
import { clientHas, type Played, situationWith } from './client/stage.ts';
import { replace } from './client/steps.ts';

const agent = (marker: string): Answer =>
  use('Agent', {
    description: `Agent ${marker}`,
    prompt: `[[${marker}]] Do your part.`,
    subagent_type: 'general-purpose',
  });

interface Tried {
  readonly results: readonly { readonly acquired: boolean; readonly holder: string | null }[];
}

/** What `lock try --json` printed; the client puts a nonzero exit code before it. */
const triedIn = (text: string): Tried => JSON.parse(text.slice(text.indexOf('{'))) as Tried;

situationWith('session_in_commands')(
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

const SHARED = { 'x.txt': 'one\ntwo\nthree\n', 'y.txt': 'one\ntwo\nthree\n', 'z.txt': 'one\ntwo\nthree\n' };
/** Of a pair of subagents and their parent, on three files that they share. */
const CALLS = { without_guard: 17, with_guard: 26 };

interface Pair extends Played {
  readonly agents: readonly Agent[];
}

/** A parent edits x and y; then two concurrent subagents edit x and z, and z, y and x. Each does as it is told. */
async function pair(
  scratch: Scratch,
  play: (scripts: readonly [Agent, Agent, Agent]) => Promise<Played>,
): Promise<Pair> {
  const [x, y, z] = ['x.txt', 'y.txt', 'z.txt'].map((name) => scratch.path(name)) as [string, string, string];
  const work = (from: string, to: string, ...files: readonly string[]): Agent =>
    obedient(async function* (hands) {
      yield* hands.lock(...files);
      for (const file of files) {
        yield* hands.read(file);
        yield* hands.write(replace(file, from, to));
      }
    });
  const parent = obedient(async function* (hands) {
    yield* hands.lock(x, y);
    yield* hands.read(x, y);
    yield* hands.write(replace(x, 'one', 'ONE'), replace(y, 'one', 'ONE'));
    yield* hands.call(both(delegate('first'), delegate('second')));
    yield* hands.call(read(x));
  });
  const agents = [parent, work('two', 'TWO', x, z), work('three', 'THREE', z, y, x)] as const;
  return { ...(await play(agents)), agents };
}

situationWith('subagent_start')(
  'a pair of subagents that does what it is told, on three shared files: no deadlock, and few calls more than without guard',
  async ({ stage }) => {
    const calls = (agents: readonly Agent[]): number => agents.reduce((sum, { book }) => sum + book.calls, 0);
    const playIn = (scratch: Scratch): Promise<Pair> =>
      pair(scratch, ([main, first, second]) =>
        stage.play(
          scratch,
          { main: main.turn, first: first.turn, second: second.turn },
          { prompt: '[[main]] Change x and y, and have two agents do the rest.', mode: 'default' },
        ),
      );
    const scratch = guarded(stage, SHARED, { on_path: true });
    const on = await playIn(scratch);

    expect(on.agents.map(({ book }) => [book.gave_up, book.unclear])).toEqual(
      on.agents.map(() => [null, []]),
    );
    expect(Object.keys(SHARED).map((name) => scratch.read(name))).toEqual([
      'ONE\nTWO\nTHREE\n',
      'ONE\ntwo\nTHREE\n',
      'one\nTWO\nTHREE\n',
    ]);
    expect(logOf(scratch, '--type', 'deadlock')).toEqual([]);
    expect(failedHooks(on.run)).toEqual([]);
    expect(calls(on.agents), JSON.stringify(on.agents.map((agent) => agent.denied()))).toBeLessThanOrEqual(
      CALLS.with_guard,
    );
    // What older clients refuse themselves depends on which agent comes first.
    if (!clientHas('merged_edits')) return;
    const free = stage.scratch(SHARED);
    userSettings(free, { permissions: { allow: ['Read', 'Edit'] } });
    expect(calls((await playIn(free)).agents)).toBe(CALLS.without_guard);
  },
);
