/** Reads a caller's values into an operation's input; the first field that cannot be read causes the refusal. */
import { GuardError } from '../core/error.ts';
import type { InputFields, InputOf } from './field.ts';

export interface ReadInput<F> {
  readonly input: InputOf<F>;
  /** Sentences about values that were read differently than given. */
  readonly notes: readonly string[];
}

export interface HowRead {
  /** The caller's name for a field; by default the field's own. */
  readonly nameOf?: (field: string) => string;
  /** All values arrive as text (an address, a command line), so reading "60" as 60 needs no note. */
  readonly isAllText?: boolean;
  /** How the caller writes a number of a field; by default as JSON. */
  readonly spell?: (field: string, value: number) => string;
}

const AS_IT_IS = (field: string): string => field;
const AS_JSON = (_: string, value: number): string => String(value);

/** @throws GuardError GUARD_ERR_USAGE with the fact `field` */
export function readInput<F extends InputFields>(
  fields: F,
  given: Readonly<Record<string, unknown>>,
  { nameOf = AS_IT_IS, isAllText = false, spell = AS_JSON }: HowRead = {},
): ReadInput<F> {
  const notes: string[] = [];
  const input = Object.entries(fields).map(([name, field]) => {
    const value = given[name];
    // Models fill in fields that they could leave out, so `null` and empty text count as missing.
    if (value === '' && field.is_never_empty) throw wrong(name, `${nameOf(name)} must not be empty.`);
    if (value === undefined || value === null || value === '') {
      if (field.otherwise === undefined) throw required(name, nameOf(name));
      return [name, field.otherwise.value] as const;
    }
    const read = field.read(value, (limit) => spell(name, limit));
    const said = typeof value === 'number' ? spell(name, value) : shown(value);
    if ('wrong' in read && read.wrong === null) throw required(name, nameOf(name));
    if ('wrong' in read) throw wrong(name, `${nameOf(name)} ${read.wrong}, not ${said}.`);
    if (read.meant !== undefined && !isAllText)
      notes.push(`${nameOf(name)}: ${said} was read as ${read.meant}.`);
    if (read.cut !== undefined) notes.push(`${nameOf(name)}: ${read.cut}.`);
    return [name, read.value] as const;
  });
  const unknown = Object.keys(given).filter(
    (name) => !Object.hasOwn(fields, name) && given[name] !== undefined,
  );
  for (const name of unknown.slice(0, UNKNOWN_SHOWN))
    notes.push(`${shown(name)} is not an argument of this call and was ignored.`);
  if (unknown.length > UNKNOWN_SHOWN)
    notes.push(`and ${unknown.length - UNKNOWN_SHOWN} more that are not arguments of this call.`);
  return { input: Object.fromEntries(input) as InputOf<F>, notes };
}

/** The error for a missing required field. */
const required = (field: string, called = field): GuardError => wrong(field, `${called} is required.`);

export const wrong = (field: string, message: string): GuardError =>
  new GuardError('GUARD_ERR_USAGE', message, 'Nothing was done. Correct it and try again.', { field });

const UNKNOWN_SHOWN = 5;
const SHOWN_CHARS = 60;

const shown = (value: unknown): string => {
  const said = JSON.stringify(value);
  return said.length > SHOWN_CHARS ? `${said.slice(0, SHOWN_CHARS)}…` : said;
};
