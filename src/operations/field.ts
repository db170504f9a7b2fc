/**
 * The input of an operation, field by field: its description, its JSON Schema, and how it is read. A value of the wrong
 * type is never silently replaced: it is refused, or read as what it plainly means, and the caller is told.
 */
export interface Field<T> {
  readonly about: string;
  /** JSON Schema of a value, without the description. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The value if the field is left out; absent: the field is required. */
  readonly otherwise?: { readonly value: T };
  /** Schemas mark it as required, although leaving it out may be allowed. */
  readonly is_asked?: true;
  /** Accepted but in no schema: for callers that know it from earlier versions. */
  readonly is_hidden?: true;
  readonly is_never_empty?: true;
  readonly read: (given: unknown, spell?: Spell) => Read<T>;
}

/** Formats a limit the way the caller writes numbers. */
type Spell = (value: number) => string;

/**
 * `cut`: a description of how the value was limited. `meant`: the value that a text spells. `wrong`: "must be …";
 * `null` if the value is empty.
 */
type Read<T> =
  | { readonly value: T; readonly cut?: string; readonly meant?: number | boolean }
  | { readonly wrong: string | null };

export type InputFields = Readonly<Record<string, Field<unknown>>>;
export type InputOf<F> = { readonly [N in keyof F]: F[N] extends Field<infer T> ? T : never };

/** The form a text must have, and its description. */
type Form = readonly [form: Pick<RegExp, 'test'>, words: string];

interface TextLimits {
  readonly max_chars?: number;
  /** Longer text is cut instead of refused. */
  readonly cut?: true;
  readonly form?: Form;
}

export function text(about: string, { max_chars = 4_096, cut, form }: TextLimits = {}): Field<string> {
  const read = (given: unknown): Read<string> => {
    if (typeof given !== 'string') return { wrong: 'must be text' };
    if (given.length > max_chars && cut)
      return { value: given.slice(0, max_chars), cut: `only its first ${max_chars} characters count` };
    if (given.length > max_chars) return { wrong: `must have at most ${max_chars} characters` };
    return form?.[0].test(given) === false ? { wrong: `must have ${form[1]}` } : { value: given };
  };
  return { about, schema: { type: 'string' }, read };
}

const LABEL_CHARS = 200;

/** A name that is shown to others or looked up: no control characters. */
export const label = (about: string, max_chars = LABEL_CHARS): Field<string> =>
  text(about, { max_chars, form: [/^\P{Cc}*$/u, 'no control characters'] });

interface ListLimits {
  readonly min?: number;
  readonly max?: number;
}

export function listOf<T>(
  about: string,
  item: Field<T>,
  { min = 0, max = 1_000 }: ListLimits = {},
): Field<readonly T[]> {
  const read = (given: unknown): Read<readonly T[]> => {
    if (!Array.isArray(given)) return { wrong: 'must be a list' };
    if (given.length < min) return { wrong: null };
    if (given.length > max) return { wrong: `must have at most ${max} items` };
    const items = given.map((one) => (one === '' ? { wrong: 'is empty' } : item.read(one)));
    const wrong = items.find((one) => 'wrong' in one);
    if (wrong !== undefined) return { wrong: `has an item that ${wrong.wrong ?? 'is empty'}` };
    return { value: items.flatMap((one) => ('wrong' in one ? [] : [one.value])) };
  };
  return { about, schema: { type: 'array', items: item.schema }, read };
}

/** One, or a list of them. */
export function oneOrMany<T>(about: string, item: Field<T>, max: number): Field<readonly T[]> {
  const many = listOf(about, item, { max });
  return {
    about,
    schema: { anyOf: [item.schema, many.schema] },
    read: (given) => many.read(typeof given === 'string' && given !== '' ? [given] : given),
  };
}

interface Bounds {
  readonly above?: number;
  readonly min?: number;
  readonly max: number;
  /** A value above `max` becomes `max` instead of being refused. */
  readonly cut?: true;
}

const NUMERAL = /^\s*[-+]?\d+(?:\.\d+)?\s*$/;

export function number(about: string, { above, min, max, cut }: Bounds): Field<number> {
  const read = (given: unknown, spell: Spell = String): Read<number> => {
    const is_text = typeof given === 'string' && NUMERAL.test(given);
    const value = is_text ? Number(given) : given;
    if (typeof value !== 'number' || !Number.isFinite(value)) return { wrong: 'must be a number' };
    if (above !== undefined && value <= above) return { wrong: `must be more than ${spell(above)}` };
    if (min !== undefined && value < min) return { wrong: `must be at least ${spell(min)}` };
    const said = is_text ? { value, meant: value } : { value };
    if (value <= max) return said;
    if (!cut) return { wrong: `must be at most ${spell(max)}` };
    return { ...said, value: max, cut: `${spell(max)} is the most, so it is ${spell(max)}` };
  };
  const limits = {
    ...(above === undefined ? {} : { exclusiveMinimum: above }),
    ...(min === undefined ? {} : { minimum: min }),
    // A value that would be cut may be sent.
    ...(cut ? {} : { maximum: max }),
  };
  return { about, schema: { type: 'number', ...limits }, read };
}

export const flag = (about: string): Field<boolean> => ({
  about,
  schema: { type: 'boolean' },
  read(given) {
    if (typeof given === 'boolean') return { value: given };
    if (given !== 'true' && given !== 'false') return { wrong: 'must be true or false' };
    const value = given === 'true';
    return { value, meant: value };
  },
});

export const choice = <const T extends string>(about: string, values: readonly T[]): Field<T> => ({
  about,
  schema: { type: 'string', enum: values },
  read(given) {
    const value = values.find((one) => one === given);
    return value === undefined ? { wrong: `must be one of ${values.join(', ')}` } : { value };
  },
});

/** An empty value is a mistake, such as an unset variable, and differs from none. */
export const neverEmpty = <T>(field: Field<T>): Field<T> => ({ ...field, is_never_empty: true });

export const optional = <T>(field: Field<T>): Field<T | undefined> => ({
  ...field,
  otherwise: { value: undefined },
});

export const withDefault = <T>(field: Field<T>, value: T): Field<T> => ({
  ...field,
  // An obvious default is left out: models read the schemas at every start.
  schema: typeof value === 'number' || value === true ? { ...field.schema, default: value } : field.schema,
  otherwise: { value },
});
