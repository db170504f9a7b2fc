/** What one session holds, no command of another one changes: refused before, stopped by the kernel, or told afterwards. */
import { describe, expect } from 'vitest';

import { beside } from './client/beside.ts';
import { denialOf, isDenied } from './client/denial.ts';
import { makeGate } from './client/gate.ts';
import { failedHooks, guarded, logOf } from './client/guarded.ts';
import type { ToolResult } from './client/messages.ts';
import { bash, both, delegate, say, use } from './client/scenario.ts';
import type { Answer, Seen } from './client/scenario.ts';
import type { Scratch } from './client/scratch.ts';
import { situation, situationWith } from './client/stage.ts';
import type { Stage } from './client/stage.ts';

const FILES = { 'x.txt': 'one\ntwo\n', 'y.txt': 'other\n', 'src/m.txt': 'one\nmore\n' };
const make = (stage: Stage, config: object = {}): Scratch =>
  guarded(stage, FILES, { on_path: true, allow: ['Bash'], config });

/** One command after the other, and what came of each. */
function commands(lines: readonly string[], results: ToolResult[]): (seen: Seen) => Answer {
  return ({ step, results: fresh }) => {
    if (step > 0) results.push(...fresh);
    const line = lines[step];
    return line === undefined ? say('Done.') : bash(line);
  };
}

const PLAIN = [
  "sed -i 's/two/bad/' x.txt",
  'echo bad >> x.txt',
  "cat > x.txt <<'EOF'\nbad\nEOF",
  "cd src && cd .. && python3 - <<'EOF'\nopen('x.txt', 'w').write('bad')\nEOF",
  'for f in x.txt; do cp y.txt "$f"; done 2>&1 | tail -5',
  'mv y.txt x.txt',
  'rm -f x.txt && echo gone',
  'git checkout -- x.txt',
  'mv src lib',
  'git mv src lib',
];

/** Nobody can see by the line what it writes. */
const HIDDEN = `echo ${Buffer.from('echo bad >> x.txt\n').toString('base64')} | base64 -d | sh; echo done`;

const kept = (scratch: Scratch): readonly string[] =>
  ['x.txt', 'src/m.txt'].map((name) => scratch.read(name));
const KEPT = ['ONE\ntwo\n', 'ONE\nmore\n'];

const filesIn = (scratch: Scratch): readonly string[] => ['x.txt', 'src/m.txt'].map((it) => scratch.path(it));

/** Nothing of guard but its words. */
const TRACES = /# guard:|GUARD_FENCE|GUARD_SESSION|pre\.sh|fence\.pl/;

describe('the command of another session', () => {
  situation('that writes what is held is refused before it runs, however it writes', async ({ stage }) => {
    const scratch = make(stage);
    const results: ToolResult[] = [];
    const { runs, api } = await beside(stage, scratch, {
      files: filesIn(scratch),
      other: { other: commands(PLAIN, results) },
    });
    const refused = results.map((result) => (isDenied(result) ? denialOf(result).error_type : result.text));
    const byGit = /^(?:LOCKED_BY_OTHER|WORK_OF_OTHERS)$/;
    for (const [nth, line] of PLAIN.entries())
      expect(refused[nth], line).toMatch(line.startsWith('git') ? byGit : /^LOCKED_BY_OTHER$/);
    expect(kept(scratch)).toEqual(KEPT);
    expect(JSON.stringify(api.at('other', PLAIN.length).request)).not.toMatch(TRACES);
    expect([...failedHooks(runs.holder), ...failedHooks(runs.other)]).toEqual([]);
  });

  situation(
    'that hides what it writes runs into the fence, and its agent is told whose file it is',
    async ({ stage }) => {
      const scratch = make(stage);
      if (!scratch.guard('doctor').stdout.includes('fence')) return;
      const results: ToolResult[] = [];
      const { runs, api } = await beside(stage, scratch, {
        files: filesIn(scratch),
        other: { other: commands([HIDDEN, 'echo fine > z.txt && cat z.txt'], results) },
      });
      expect(kept(scratch)).toEqual(KEPT);
      expect(scratch.read('z.txt')).toBe('fine\n');
      const request = JSON.stringify(api.at('other', 2).request);
      expect(request).toContain(`claude-${runs.holder.session}`);
      expect(request).not.toMatch(TRACES);
    },
  );

  situation('that runs on in the background runs into the fence too', async ({ stage }) => {
    const scratch = make(stage);
    const results: ToolResult[] = [];
    const later: Answer = use('Bash', {
      command: `sleep 1; ${HIDDEN}`,
      description: 'x',
      run_in_background: true,
    });
    await beside(stage, scratch, {
      files: filesIn(scratch),
      other: {
        other: ({ step }) => (step === 0 ? later : step === 1 ? bash('sleep 3; echo waited') : say('Done.')),
      },
    });
    expect(results).toEqual([]);
    expect(kept(scratch)).toEqual(KEPT);
  });
});

describe('where no fence is', () => {
  situation('a hidden write is noticed, told to both, and undone', async ({ stage }) => {
    const scratch = make(stage, { fence: 'off', allow_weaker: true });
    const results: ToolResult[] = [];
    const { runs, heard, api } = await beside(stage, scratch, {
      files: filesIn(scratch),
      other: { other: commands([HIDDEN, 'echo next'], results) },
      then: ['echo look', `guard undo ${scratch.path('x.txt')}`],
    });
    const other = `claude-${runs.other.session}`;
    expect(JSON.stringify(api.at('other', 1).request)).toContain('x.txt');
    expect(heard).toContain(other);
    expect(logOf(scratch, '--type', 'drift').map(({ agent }) => agent)).toEqual([other]);
    expect(kept(scratch)).toEqual(KEPT);
  });
});

// Of its parent's files it is handed what it names (test/e2e/delegation.test.ts).
situationWith('subagent_start')(
  'a subagent runs into what its sibling holds, and not into what it holds itself',
  async ({ stage }) => {
    const scratch = make(stage);
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
