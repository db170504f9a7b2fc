/** A session that reads and writes by Bash alone, as clients tell their models in some permission modes. */
import { describe, expect } from 'vitest';

import { denialOf } from './client/denial.ts';
import { makeGate } from './client/gate.ts';
import { failedHooks, guarded, holdersOf, logOf } from './client/guarded.ts';
import { obedient } from './client/obedient.ts';
import { bash, say } from './client/scenario.ts';
import { situation, situationWith } from './client/stage.ts';
import { replace } from './client/steps.ts';

const CHANGE = "sed -i 's/two/TWO/' x.txt";

const MODES = ['default', 'acceptEdits', 'bypassPermissions', 'auto'] as const;

describe.each(MODES)('in mode %s', (mode) => {
  const inMode = mode === 'auto' ? situationWith('auto_mode') : situation;
  inMode('is guarded like one that uses Edit, and needs no lock command', async ({ stage }) => {
    const scratch = guarded(stage, { 'x.txt': 'one\ntwo\n' }, { on_path: true, allow: ['Bash'] });
    const x = scratch.path('x.txt');
    const [has_read, is_changed] = [makeGate(), makeGate()];
    const editor = obedient(async function* (hands) {
      await has_read.opened;
      yield* hands.lock(x);
      yield* hands.read(x);
      yield* hands.write(replace(x, 'one', 'ONE'));
      yield* hands.release(x);
      is_changed.open();
    });
    const api = await stage.api({
      editor: editor.turn,
      shell: [
        bash('cat x.txt'),
        async () => {
          has_read.open();
          await is_changed.opened;
          return bash(CHANGE);
        },
        bash('cat x.txt'),
        bash(CHANGE),
        bash("sed -i 's/TWO/THREE/' x.txt && cat x.txt"),
        say('Done.'),
      ],
    });
    const runs = [
      stage.start(api, scratch, { prompt: '[[editor]] Change it.', mode: 'default' }),
      stage.start(api, scratch, { prompt: '[[shell]] Change it.', mode }),
    ];
    const [first, second] = await Promise.all(runs.map(({ done }) => done));
    expect(denialOf(api.at('shell', 2).results[0])).toMatchObject({ error_type: 'STALE_FILE' });
    expect(api.results('shell').map(({ is_error }) => is_error)).toEqual([false, true, false, false, false]);
    expect(scratch.read('x.txt')).toBe('ONE\nTHREE\n');
    expect(holdersOf(scratch, 'x.txt').flat()).toContain(`claude-${second?.session}`);
    expect(Math.max(...holdersOf(scratch, 'x.txt').map((holders) => holders.length))).toBe(1);
    expect(logOf(scratch, '--type', 'drift')).toEqual([]);
    expect([first, second].flatMap((run) => (run === undefined ? [] : failedHooks(run)))).toEqual([]);
  });
});
