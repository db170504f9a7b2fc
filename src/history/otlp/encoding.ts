/** OTLP as JSON: ids are hex, 64-bit numbers are strings, enumerations are numbers, attributes are typed values. */
import { createHash } from 'node:crypto';

type Value = string | number | boolean | readonly string[];
/** An absent, `null` or empty value produces no attribute. */
export type OtlpFacts = Readonly<Record<string, Value | null | undefined>>;

export interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export const attributesOf = (facts: OtlpFacts): readonly Attribute[] =>
  Object.entries(facts).flatMap(([key, value]) =>
    value == null || value === '' || (typeof value === 'object' && value.length === 0)
      ? []
      : [{ key, value: valueOf(value) }],
  );

function valueOf(value: Value): Attribute['value'] {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return { intValue: String(value) };
  return { arrayValue: { values: value.map((one) => ({ stringValue: one })) } };
}

/** A string, because nanoseconds since 1970 exceed the range of a JSON number. */
export const nanosOf = (ms: number): string => String(BigInt(Math.round(ms)) * 1_000_000n);

const hexOf = (words: readonly (string | number)[], chars: number): string =>
  createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, chars);

/** The same words give the same id, so a second export repeats the first. */
export const traceIdOf = (...words: readonly (string | number)[]): string => hexOf(['trace', ...words], 32);
export const spanIdOf = (...words: readonly (string | number)[]): string => hexOf(['span', ...words], 16);
