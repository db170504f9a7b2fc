/** Reads typed values into an operation's input. Every value is text here, and some are durations. */
import { formatDuration, parseDuration } from '../config/duration.ts';
import { isGuardError } from '../core/error.ts';
import type { InputFields } from '../operations/field.ts';
import { type Operation, readFor } from '../operations/operation.ts';
import { type ReadInput, wrong } from '../operations/read-input.ts';

export interface AsTyped {
  /** How the command names the fields that are options. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Fields that are typed as durations, with the operation's unit. */
  readonly units_ms?: Readonly<Record<string, number>>;
}

export function readTyped<F extends InputFields, R extends object, At>(
  operation: Operation<F, R, At>,
  typed: Readonly<Record<string, unknown>>,
  { flags = {}, units_ms = {} }: AsTyped,
): ReadInput<F> {
  const nameOf = (field: string): string => flags[field] ?? field;
  // An invalid duration is passed on as an invalid number, so that the first wrong field is reported, as in all interfaces.
  const given = Object.entries(typed).map(([field, value]) => {
    const unit_ms = units_ms[field];
    if (unit_ms === undefined || value === undefined || value === '') return [field, value];
    const duration_ms = durationIn(value);
    return [field, duration_ms === null ? NO_NUMBER : duration_ms / unit_ms];
  });
  const spell = (field: string, value: number): string => {
    const unit_ms = units_ms[field];
    return unit_ms === undefined ? String(value) : formatDuration(Math.round(value * unit_ms));
  };
  try {
    return readFor(operation, Object.fromEntries(given) as Readonly<Record<string, unknown>>, {
      nameOf,
      isAllText: true,
      spell,
    });
  } catch (error) {
    const field = isGuardError(error) ? String(error.facts['field']) : '';
    if (units_ms[field] === undefined || durationIn(typed[field]) !== null) throw error;
    const value = JSON.stringify(typed[field]).slice(0, 40);
    throw wrong(field, `${nameOf(field)} must be a duration like 90s, 15m or 2h, not ${value}.`);
  }
}

const NO_NUMBER = false;

/** `90s`, `15m`, `2h`, `500ms`; a bare number is seconds, as in the lock tools. */
const durationIn = (value: unknown): number | null =>
  typeof value === 'string' ? parseDuration(/^\d+(\.\d+)?$/.test(value) ? Number(value) : value) : null;
