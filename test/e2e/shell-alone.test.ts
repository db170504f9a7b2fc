/** A session that reads and writes only through Bash, as models do in some modes: guarded, and at what cost. */
import { basename } from 'node:path';

import { describe, expect } from 'vitest';

import { denialOf, isDenied } from './client/denial.ts';
import { makeGate } from './client/gate.ts';
import { failedHooks, holdersOf, logOf } from './client/guarded.ts';
import { guardedIn, MODES, situationIn } from './client/modes.ts';
import { type Doing, type Hands, obedient } from './client/obedient.ts';
import { bash } from './client/scenario.ts';
import { replace, stepOf } from './client/steps.ts';
import { until } from './client/until.ts';

/** One task each: change the second line, in a different way. */
const WAYS: Readonly<Record<string, string>> = {
  'a.txt': "sed -i 's/two/TWO/' a.txt",
  'b.txt': `python3 -c "t = open('b.txt').read(); open('b.txt', 'w').write(t.replace('two', 'TWO'))"`,
  'c.txt': "{ head -1 c.txt; echo 'the second line: TWO'; } > c.new && mv c.new c.txt",
};
/** A text needs more than a few letters to be recognized as read within other output. */
const TEXT = 'the first line: one\nthe second line: two\n';
const DONE = TEXT.replace('one', 'ONE').replace('two', 'TWO');
const NAMES = Object.keys(WAYS);
/** One to read, one to write. */
const CALLS_A_TASK = 2;
const EXTRA_CALLS_A_TASK_MAX = 2;

/** Runs the line; if refused, first runs everything the refusal says as one command line, then the line again. */
async function* ran(hands: Hands, line: string, refused: string[]): Doing {
  let asked = line;
  for (;;) {
    const { results } = yield* hands.call(bash(asked));
    if (!isDenied(results[0])) return;
    const { error_type, details } = denialOf(results[0]);
    refused.push(`${error_type} ${basename(details.path)}`);
    const steps = (details.next ?? []).map(lineOf);
    if (steps.length > 0) yield* hands.call(bash(steps.join(' && ')));
    const lock = steps.find((step) => step.includes(' lock wait '));
    asked = lock === undefined ? line : `${line} && ${lock.replace(' lock wait ', ' lock release ')}`;
  }
}

function lineOf(text: string): string {
  const step = stepOf(text);
  if (step.kind === 'read') return `cat ${step.files.join(' ')}`;
  if (step.kind === 'pause') return 'sleep 0.2';
  if (step.kind === 'call' && text.includes(' lock ')) return text;
  throw new Error(`nothing that one could run: ${text}`);
}

describe.each(MODES)('in mode %s', (mode) => {
  situationIn(mode)(
    'loses nothing, and pays for what others do with at most two calls a task',
    async ({ stage }) => {
      const scratch = guardedIn(mode, stage, Object.fromEntries(NAMES.map((name) => [name, TEXT])));
      const paths = NAMES.map((name) => scratch.path(name));
      const [a = '', b = '', ...free] = paths;
      const [has_read, is_changed, is_held] = [makeGate(), makeGate(), makeGate()];
      const [extra, refused]: [number[], string[]] = [[], []];

      async function* edited(hands: Hands, path: string) {
        yield* hands.read(path);
        yield* hands.write(replace(path, 'one', 'ONE'));
        yield* hands.release(path);
      }
      const editor = obedient(async function* (hands) {
        await has_read.opened;
        yield* hands.lock(a);
        yield* edited(hands, a);
        yield* hands.lock(b);
        is_changed.open();
        is_held.open();
        await until('the other one is refused', () => refused.includes('LOCKED_BY_OTHER b.txt'));
        yield* edited(hands, b);
        for (const path of free) {
          yield* hands.lock(path);
          yield* edited(hands, path);
        }
      });
      const shell = obedient(async function* (hands) {
        for (const [nth, name] of NAMES.entries()) {
          const before = shell.book.calls;
          yield* hands.call(bash(`cat ${name}`));
          has_read.open();
          await [is_changed, is_held][nth]?.opened;
          yield* ran(hands, WAYS[name] ?? '', refused);
          extra.push(shell.book.calls - before - CALLS_A_TASK);
        }
      });
      const api = await stage.api({ editor: editor.turn, shell: shell.turn });
      const runs = await Promise.all([
        stage.start(api, scratch, { prompt: '[[editor]] Change them.', mode: 'default' }).done,
        stage.start(api, scratch, { prompt: '[[shell]] Change them.', mode }).done,
      ]);

      const texts = NAMES.map((name) => scratch.read(name));
      const lost = texts.flatMap((text) => ['ONE', 'TWO'].filter((change) => !text.includes(change)));
      const mean = extra.reduce((sum, one) => sum + one, 0) / NAMES.length;
      process.stderr.write(
        `by Bash alone, ${mode}: ${lost.length} of ${2 * NAMES.length} changes lost, extra calls of ${NAMES.length} tasks ${extra.join(', ')} (${refused.join(', ')})\n`,
      );
      expect(texts).toEqual(NAMES.map(() => DONE));
      expect(refused).toEqual(expect.arrayContaining(['STALE_FILE a.txt', 'LOCKED_BY_OTHER b.txt']));
      expect(mean).toBeLessThanOrEqual(EXTRA_CALLS_A_TASK_MAX);
      expect(Math.max(...NAMES.flatMap((name) => holdersOf(scratch, name).map(({ length }) => length)))).toBe(
        1,
      );
      expect(holdersOf(scratch, 'a.txt').flat()).toContain(`claude-${runs[1].session}`);
      // The editor may see a change before the hook that ends its command, but must never be told of an outside change.
      for (const drift of logOf(scratch, '--type', 'drift'))
        expect(JSON.stringify(drift)).not.toContain('outside');
      expect(runs.flatMap(failedHooks)).toEqual([]);
    },
  );
});
