/** No command changes what a sibling subagent holds. Between sessions: shell-modes.test.ts. */
import { expect } from 'vitest';

import { denialOf } from './client/denial.ts';
import { makeGate } from './client/gate.ts';
import { failedHooks, guarded } from './client/guarded.ts';
import type { ToolResult } from './client/messages.ts';
import { type Answer, bash, both, delegate, say, type Seen } from './client/scenario.ts';
import { situationWith } from './client/stage.ts';

/** Runs one command after another, and collects the results. */
function commands(lines: readonly string[], results: ToolResult[]): (seen: Seen) => Answer {
  return ({ step, results: fresh }) => {
    if (step > 0) results.push(...fresh);
    const line = lines[step];
    return line === undefined ? say('Done.') : bash(line);
  };
}

/** The line does not show what it writes. */
const HIDDEN = `echo ${Buffer.from('echo bad >> x.txt\n').toString('base64')} | base64 -d | sh; echo done`;

/** Traces of guard other than its messages. */
const TRACES = /# guard:|GUARD_FENCE|GUARD_SESSION|pre\.sh|fence\.pl/;

// It is handed those of its parent's files that its command names (test/e2e/delegation.test.ts).
situationWith('subagent_start')(
  'a subagent runs into what its sibling holds, and not into what it holds itself',
  async ({ stage }) => {
    const files = { 'x.txt': 'one\ntwo\n', 'y.txt': 'other\n' };
    const scratch = guarded(stage, files, { on_path: true, allow: ['Bash'] });
    const [x, y] = [scratch.path('x.txt'), scratch.path('y.txt')];
    const results: ToolResult[] = [];
    const lines = [
      "sed -i 's/two/bad/' x.txt",
      HIDDEN,
      `guard lock try ${y}`,
      'echo mine >> y.txt && cat y.txt',
    ];
    const [is_held, is_over] = [makeGate(), makeGate()];
    const attempt = commands(lines, results);
    const { run, api } = await stage.play(
      scratch,
      {
        main: ({ step }) => (step === 0 ? both(delegate('keeper'), delegate('child')) : say('Done.')),
        keeper: [
          bash(`guard lock try ${x}`),
          async () => {
            is_held.open();
            await is_over.opened;
            return bash('echo keeper >> x.txt');
          },
          say('Done.'),
        ],
        child: async (seen) => {
          await is_held.opened;
          if (seen.step === lines.length) is_over.open();
          return attempt(seen);
        },
      },
      { prompt: '[[main]] Have it done.', mode: 'default' },
    );
    expect(denialOf(results[0])).toMatchObject({ error_type: 'LOCKED_BY_OTHER' });
    expect(results[1]?.text).toContain('done');
    expect(results.slice(2).map(({ is_error }) => is_error)).toEqual([false, false]);
    expect(scratch.read('x.txt')).toBe('one\ntwo\nkeeper\n');
    expect(scratch.read('y.txt')).toBe('other\nmine\n');
    expect(JSON.stringify(api.at('child', lines.length).request)).not.toMatch(TRACES);
    expect(failedHooks(run)).toEqual([]);
  },
);
