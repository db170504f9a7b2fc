/** A window of time, and how much of a span lies in it. */
import type { HeldSpan } from './span.ts';

export interface Window {
  readonly from_ms: number;
  readonly to_ms: number;
}

export const isWithin = (ms: number, { from_ms, to_ms }: Window): boolean => ms >= from_ms && ms <= to_ms;

/** A span that no record ended continues. */
export const touches = ({ from_ms, to_ms }: HeldSpan, window: Window): boolean =>
  from_ms <= window.to_ms && (to_ms ?? Infinity) >= window.from_ms;

export const lengthIn = ({ from_ms, to_ms }: HeldSpan, window: Window): number =>
  Math.max(0, Math.min(to_ms ?? window.to_ms, window.to_ms) - Math.max(from_ms, window.from_ms));
