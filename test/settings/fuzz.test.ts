/**
 * Random edits of a settings file: after each one that the check allows, a client that loads settings as measured on the
 * real one still calls guard before every write. GUARD_FUZZ_RUNS sets the number of runs (default 300).
 */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failClosed, PROJECT_HOOK_COMMAND } from '../../src/install/command.ts';
import { hookTable } from '../../src/install/entries.ts';
import { whyUnguarded, whyUnhooked } from '../../src/settings/judge.ts';
import { readModel } from '../../src/settings/model.ts';
import { merged, ORDINARY } from './ordinary.ts';

const RUNS = Number(process.env['GUARD_FUZZ_RUNS'] ?? 300);
const CLIENT = '2.1.330';
const GUARDED = { model: 'opus', hooks: hookTable(PROJECT_HOOK_COMMAND, 'all') };
const BEFORE = JSON.stringify(GUARDED, null, 2);

const MEASURED = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/client/settings-values.json'), 'utf8'),
) as Readonly<Record<string, readonly object[]>>;
const DROPPED = MEASURED['2.1.330 drops the file'] ?? [];
const KEPT = MEASURED['2.1.330 keeps the file'] ?? [];

/** Whether the client calls guard, according to the measurements alone, without the code under test. */
function clientAsksGuard(text: string, wrong: boolean): boolean {
  let value: { readonly hooks?: Record<string, readonly Group[]>; readonly disableAllHooks?: unknown };
  try {
    value = JSON.parse(text) as typeof value;
  } catch {
    return false;
  }
  if (wrong || value.disableAllHooks === true) return false;
  const groups = value.hooks?.['PreToolUse'] ?? [];
  return ['Edit', 'Write', 'NotebookEdit'].every((tool) =>
    groups.some(
      ({ matcher = '', hooks }) =>
        matcher.split('|').includes(tool) &&
        hooks.some(({ command, ...more }) => command === GUARD && !('if' in more) && more['async'] !== true),
    ),
  );
}

type Group = { readonly matcher?: string; readonly hooks: readonly Record<string, unknown>[] };
const GUARD = failClosed(PROJECT_HOOK_COMMAND);

const fragment = fc.oneof(
  fc.constantFrom(...ORDINARY).map((change) => ({ change, wrong: false })),
  fc.constantFrom(...KEPT).map((change) => ({ change, wrong: false })),
  fc.constantFrom(...DROPPED).map((change) => ({ change, wrong: true })),
  fc.constantFrom(true, false).map((flag) => ({ change: { disableAllHooks: flag }, wrong: false })),
);

it('the client still calls guard after every edit that the check allows', () => {
  fc.assert(
    fc.property(fc.array(fragment, { minLength: 1, maxLength: 4 }), (parts) => {
      // A later value for a setting replaces an earlier one, so with duplicates the result may no longer be wrong.
      const names = parts.flatMap(({ change }) => Object.keys(change));
      fc.pre(new Set(names).size === names.length);
      const after = JSON.stringify(parts.reduce<object>((all, { change }) => merged(all, change), GUARDED));
      const wrong = parts.some((part) => part.wrong);
      const refused = whyUnhooked(BEFORE, after, CLIENT);
      if (refused === null) expect(clientAsksGuard(after, wrong)).toBe(true);
      if (wrong) expect(refused).not.toBeNull();
    }),
    { numRuns: RUNS },
  );
});

it('pieces of text cut out, doubled or put elsewhere: never an exception, never an unguarded file', () => {
  const at = fc.nat(BEFORE.length);
  fc.assert(
    fc.property(at, fc.nat(200), at, fc.constantFrom('cut', 'move', 'double'), (from, length, to, how) => {
      const piece = BEFORE.slice(from, from + length);
      const rest = how === 'double' ? BEFORE : BEFORE.slice(0, from) + BEFORE.slice(from + length);
      const after = how === 'cut' ? rest : rest.slice(0, to) + piece + rest.slice(to);
      if (whyUnhooked(BEFORE, after, CLIENT) === null) expect(clientAsksGuard(after, false)).toBe(true);
    }),
    { numRuns: RUNS },
  );
});

it('any JSON, and any text, gets a verdict', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      const model = readModel(text, CLIENT);
      const survey = { files: [model], env: {}, by_plugin: false };
      expect(whyUnhooked(BEFORE, text, CLIENT) === null).toBe(false);
      expect(whyUnguarded(survey)).not.toBeNull();
    }),
    { numRuns: RUNS },
  );
});
