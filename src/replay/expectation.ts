/**
 * The expected answers to the events of a recording.
 *
 * `<name>.expected.jsonl` next to `<name>.jsonl` has one line per event:
 * `{"at":7,"event":"PreToolUse","tool":"Edit","decision":"deny","error_type":"STALE_FILE"}`. It must match in every
 * field. An `expect` line in the recording must match only in the fields it names.
 */
import { GuardError } from '../core/error.ts';
import type { Fields } from '../claude/input.ts';
import { isFields } from '../claude/text/field.ts';
import type { Played } from './play.ts';

/** `differs` is undefined if the answer is as expected, or if nothing was expected of this event. */
export interface CheckedStep extends Played {
  readonly differs?: string;
  readonly isChecked: boolean;
}

const FIELDS = ['at', 'event', 'tool', 'decision', 'error_type', 'context', 'rewritten'] as const;

/** The line that records what happened. */
export function expectedLine({ at, event, tool, outcome }: Played): Fields {
  const { decision, error_type, context, rewritten } = outcome;
  const fields = { at, event, tool: tool || undefined, decision, error_type, context, rewritten };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export const expectedText = (played: readonly Played[]): string =>
  played.map((one) => `${JSON.stringify(expectedLine(one))}\n`).join('');

/** Throws GUARD_ERR_INPUT, naming file and line. */
export function parseExpected(text: string, file: string): readonly Fields[] {
  return text.split('\n').flatMap((raw, index) => {
    if (raw.trim() === '') return [];
    try {
      const parsed: unknown = JSON.parse(raw);
      if (isFields(parsed)) return [parsed];
    } catch {
      // The same error as for JSON that is not an object.
    }
    throw new GuardError(
      'GUARD_ERR_INPUT',
      `${file}:${index + 1} is not a JSON object.`,
      'Record it again: guard replay --update.',
      { file, line: index + 1 },
    );
  });
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

/** The difference as text; undefined if there is none. `names`: the fields that must agree. */
function difference(expected: Fields, got: Fields, names: readonly string[]): string | undefined {
  const wrong = names.filter((name) => JSON.stringify(expected[name]) !== JSON.stringify(got[name]));
  if (wrong.length === 0) return undefined;
  return wrong
    .map((name) => `${name}: expected ${shown(expected[name])}, got ${shown(got[name])}`)
    .join('; ');
}

/** A recorded `false` means the same as an absent field, for example "no context". */
const named = (expect: Fields): Fields =>
  Object.fromEntries(
    Object.entries(expect).map(([name, value]) => [name, value === false ? undefined : value]),
  );

function checkOne(played: Played, expected: Fields | undefined): CheckedStep {
  const got = expectedLine(played);
  const problems = [
    played.outcome.detail,
    expected && difference(expected, got, FIELDS),
    played.expect && difference(named(played.expect), got, Object.keys(played.expect)),
  ].filter((problem) => problem !== undefined);
  const isChecked = expected !== undefined || played.expect !== undefined || problems.length > 0;
  return { ...played, isChecked, ...(problems.length === 0 ? {} : { differs: problems.join('; ') }) };
}

/** `expected` is null if nothing was recorded. A broken answer (`fail`) never matches. */
export function check(played: readonly Played[], expected: readonly Fields[] | null): readonly CheckedStep[] {
  const checks = played.map((one, index) => checkOne(one, expected?.[index]));
  if (!expected || expected.length === played.length) return checks;
  const differs = `${expected.length} events expected, ${played.length} played: the recording has changed (guard replay --update)`;
  return checks.map((one, index) =>
    index === checks.length - 1 ? { ...one, isChecked: true, differs } : one,
  );
}
