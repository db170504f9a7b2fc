/** Converts a kept event to the form that its rule expects, and adapts the rule's result. */
import { isGuardError } from '../../core/error.ts';
import { rfc3339 } from '../../core/rfc3339.ts';
import type { Who } from '../../core/rules/who.ts';
import { NEXT } from '../placeholder.ts';
import type { Step } from '../store.ts';
import type { LateEvent, LateStep } from './late-file.ts';

export function toldLate(event: LateEvent, who: Who) {
  if (event.type !== 'write.end') return { ...event, who };
  const written = event.written.map(({ original: kept, ...one }) => ({
    ...one,
    original: ({ digest }: { readonly digest: unknown }) =>
      kept !== null && kept.digest === digest ? kept.verdict : ('unverified' as const),
  }));
  return { ...event, who, written };
}

/** Dates the records like any others, and adds the time when the event happened. */
export function datedLate({ records, result }: Step<unknown>, { now }: LateStep): Step<unknown> {
  const happened_at = rfc3339(now.wall_ms);
  return { records: records.map((body) => ({ ...body, ts_ms: NEXT, happened_at })), result };
}

/**
 * False: no rule can process it, or no engine can store what the rule says. Anything else that an engine fails with says
 * nothing about the event, however odd it is.
 * @throws whatever keeps the ledger from being written
 */
export function wasTaken(take: () => void, isEngines: (error: unknown) => boolean = () => false): boolean {
  try {
    take();
    return true;
  } catch (error) {
    if (isEngines(error) ? !isUnstorable(error) : isGuardError(error) && error.code !== 'GUARD_ERR_INTERNAL')
      throw error;
    return false;
  }
}

/**
 * SQLSTATE classes 22 (the data is not valid) and 54 (it is too large), and a record that is too large to be sent, whose
 * error has its `bytes`: the same event would fail every time.
 */
const isUnstorable = (error: unknown): boolean =>
  isGuardError(error) &&
  (/^(?:22|54)...$/.test(String(error.facts['state'])) || typeof error.facts['bytes'] === 'number');
