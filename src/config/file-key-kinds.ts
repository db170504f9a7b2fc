/** Kinds of keys that only a file can set. */
import { formatDuration } from './duration.ts';
import { durationKey, type DurationLimits, type ParsedKey, type Wrong } from './key-kinds.ts';

export interface FileKey<T> {
  /** `/` separates an object from its key. */
  readonly place: string;
  parse(raw: unknown): ParsedKey<T>;
  /** JSON Schema of the value, with its default. */
  readonly schema: Readonly<Record<string, unknown>>;
}

const lastOf = (place: string): string => place.slice(place.lastIndexOf('/') + 1);

const wrong = (reason: string, hint: string): { readonly wrong: Wrong } => ({ wrong: { reason, hint } });

export const textKey = (place: string, fits: RegExp, of: Wrong): FileKey<string> => ({
  place,
  schema: { type: 'string', pattern: fits.source },
  parse: (raw) => (typeof raw === 'string' && fits.test(raw) ? { value: raw } : { wrong: of }),
});

interface Range {
  readonly min: number;
  readonly max: number;
  readonly default: number;
  readonly unit?: string;
}

export function wholeKey(place: string, { min, max, unit = '', ...rest }: Range): FileKey<number> {
  return {
    place,
    schema: { type: 'integer', minimum: min, maximum: max, ...rest },
    parse: (raw) =>
      typeof raw === 'number' && Number.isInteger(raw) && raw >= min && raw <= max
        ? { value: raw }
        : wrong(`"${lastOf(place)}" must be a whole number`, `From ${min} to ${max}${unit}.`),
  };
}

export const truthKey = (place: string, is_default: boolean): FileKey<boolean> => ({
  place,
  schema: { type: 'boolean', default: is_default },
  parse: (raw) =>
    typeof raw === 'boolean'
      ? { value: raw }
      : wrong(`"${lastOf(place)}" must be true or false`, 'Write true or false, without quotes.'),
});

/** Relative, without `..`, in canonical spelling; links are checked where the directory is used. */
export const directoryKey = (place: string, of_default: string): FileKey<string> => ({
  place,
  schema: { type: 'string', minLength: 1, default: of_default },
  parse: (raw) => {
    const isPlain =
      typeof raw === 'string' &&
      /^[^/\\\0]/.test(raw) &&
      !/^[a-z]:/i.test(raw) &&
      !raw.split(/[/\\]/).some((part) => part === '..' || part === '.git');
    const parts = isPlain ? raw.split(/[/\\]+/).filter((part) => part !== '' && part !== '.') : [];
    if (parts.length > 0) return { value: parts.join('/') };
    const reason = `"${lastOf(place)}" must be a directory below the root of the checkout`;
    return wrong(reason, 'Write a relative path.');
  },
});

interface ListOf {
  readonly items: Readonly<Record<string, unknown>>;
  readonly max?: number;
  readonly default?: readonly string[];
  readonly fits: (text: string) => boolean;
  readonly wrong: Wrong;
}

export function listKey(place: string, of: ListOf): FileKey<readonly string[]> {
  const { items, max, fits } = of;
  const isFit = (one: unknown): one is string => typeof one === 'string' && fits(one);
  return {
    place,
    schema: {
      type: 'array',
      ...(max === undefined ? {} : { maxItems: max }),
      items: { type: 'string', ...items },
      ...(of.default === undefined ? {} : { default: of.default }),
    },
    parse: (raw) =>
      Array.isArray(raw) && raw.length <= (max ?? Infinity) && raw.every(isFit)
        ? { value: raw }
        : { wrong: of.wrong },
  };
}

export function spanKey(
  place: string,
  limits: Omit<DurationLimits, 'longer_is_stronger'>,
  by_default_ms: number,
): FileKey<number> {
  const { min_ms, max_ms } = limits;
  const key = durationKey(by_default_ms, { ...limits, longer_is_stronger: false });
  const range = `from ${formatDuration(min_ms)} to ${formatDuration(max_ms)}`;
  return {
    place,
    schema: { ...key.schema, default: formatDuration(by_default_ms) },
    parse: (raw) => {
      const parsed = key.parse(raw);
      if ('value' in parsed) return parsed;
      const reason = `"${lastOf(place)}" is not a valid duration here`;
      return wrong(reason, `Write one ${range}: "168h".`);
    },
  };
}
