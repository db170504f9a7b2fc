/** From what a caller gave to what an operation takes; the first field that cannot be read is the refusal. */
import { GuardError } from '../core/error.ts';
import type { InputFields, InputOf } from './field.ts';

export interface ReadInput<F> {
  readonly input: InputOf<F>;
  /** What was read otherwise than it was given, as sentences. */
  readonly notes: readonly string[];
}

export interface HowRead {
  /** What the caller calls a field; default: as it is. */
  readonly nameOf?: (field: string) => string;
  /** Every value comes as text there (an address, a command line): reading "60" as 60 is not worth a word. */
  readonly isAllText?: boolean;
  /** How the caller writes a number of a field; default: as JSON does. */
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
    // Models fill in what they need not: null and empty text are nothing.
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
    notes.push(`${shown(name)} is no argument of this call and was ignored.`);
  if (unknown.length > UNKNOWN_SHOWN)
    notes.push(`and ${unknown.length - UNKNOWN_SHOWN} more that are no arguments of this call.`);
  return { input: Object.fromEntries(input) as InputOf<F>, notes };
}

/** Of a field without which there is nothing to do. */
const required = (field: string, called = field): GuardError => wrong(field, `${called} is required.`);

export const wrong = (field: string, message: string): GuardError =>
  new GuardError('GUARD_ERR_USAGE', message, 'Nothing was done. Correct it and ask again.', { field });

const UNKNOWN_SHOWN = 5;
const SHOWN_CHARS = 60;

const shown = (value: unknown): string => {
  const said = JSON.stringify(value);
  return said.length > SHOWN_CHARS ? `${said.slice(0, SHOWN_CHARS)}…` : said;
};
