/** Kinds of configuration keys with one value: how it is checked, compared and shown, and its schema. */
import { isWeakerIn } from '../core/policy/weakening.ts';
import { formatDuration, parseDuration } from './duration.ts';
import { unfit } from './unfit.ts';

type DurationText = string | number;

/** What is wrong with a value; `hint` says what would be right. */
export interface Wrong {
  readonly reason: string;
  readonly hint: string;
}

export type ParsedKey<T> = { readonly value: T } | { readonly wrong: Wrong };

export interface KeySpec<T> {
  readonly default: T;
  /**
   * The user's own configuration may weaken what `guard init` set: always, or unless the repository was made strict.
   * Absent: only with `allow_weaker`.
   */
  readonly user_may?: 'weaken' | 'weaken_unless_strict';
  parse(raw: unknown): ParsedKey<T>;
  isWeaker(wanted: T, current: T): boolean;
  show(value: T): DurationText;
  /** JSON Schema of the value. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** `order` begins with the weakest. */
export function choiceKey<T extends string>(order: readonly T[], by_default: T): KeySpec<T> {
  return {
    default: by_default,
    schema: { enum: [...order].reverse() },
    isWeaker: (wanted, current) => isWeakerIn(order, wanted, current),
    show: (value) => value,
    parse: (raw) => {
      const value = order.find((it) => it === raw);
      return value === undefined ? unfit(raw, { order }) : { value };
    },
  };
}

/** None of the values is weaker than another. */
export function oneOfKey<T extends string>(names: readonly T[], by_default: T): KeySpec<T> {
  return { ...choiceKey(names, by_default), isWeaker: () => false };
}

export interface DurationLimits {
  readonly min_ms: number;
  readonly max_ms: number;
  /** If false, neither direction is weaker. */
  readonly longer_is_stronger: boolean;
}

export function durationKey(by_default_ms: number, limits: DurationLimits): KeySpec<number> {
  const { min_ms, max_ms, longer_is_stronger } = limits;
  return {
    default: by_default_ms,
    schema: {
      anyOf: [
        { type: 'string', pattern: '^\\d{1,9}(\\.\\d{1,3})?(ms|s|m|h)?$' },
        { type: 'number', minimum: min_ms / 1000, maximum: max_ms / 1000 },
      ],
    },
    isWeaker: (wanted, current) => longer_is_stronger && wanted < current,
    show: formatDuration,
    parse: (raw) => {
      const value = parseDuration(raw);
      const isFit = value !== null && value >= min_ms && value <= max_ms;
      return isFit ? { value } : unfit(raw, { min_ms, max_ms, value });
    },
  };
}

/** How often an agent may do something: fewer is stronger. */
export function limitKey(by_default: number, max: number): KeySpec<number> {
  return {
    default: by_default,
    schema: { type: 'integer', minimum: 1, maximum: max },
    isWeaker: (wanted, current) => wanted > current,
    show: (value) => value,
    parse: (raw) => {
      const value = Number(raw);
      return Number.isInteger(value) && value > 0 && value <= max ? { value } : unfit(raw, { max });
    },
  };
}
