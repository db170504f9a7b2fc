// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** What is wrong with a configuration value, and what would be right. Loaded only for wrong values, which are rare. */
import { formatDuration } from './duration.ts';
import { didYouMean } from './suggest.ts';

/** What the value must be: one of these, a whole number up to `max`, or a duration, with `value` as parsed. */
type Fit =
  | { readonly order: readonly string[] }
  | { readonly max: number }
  | { readonly min_ms: number; readonly max_ms: number; readonly value: number | null };

interface Unfit {
  readonly reason: string;
  readonly hint: string;
}

export const unfit = (raw: unknown, fit: Fit): { readonly wrong: Unfit } => ({
  wrong: wrongWith(JSON.stringify(raw).slice(0, 60), raw, fit),
});

function wrongWith(shown: string, raw: unknown, fit: Fit): Unfit {
  if ('order' in fit)
    return { reason: `${shown} is not a valid value`, hint: didYouMean(String(raw), fit.order) };
  if ('max' in fit) return { reason: `${shown} is not from 1 to ${fit.max}`, hint: 'Write a number.' };
  const range = `from ${formatDuration(fit.min_ms)} to ${formatDuration(fit.max_ms)}`;
  const hint = `Write a duration ${range}: "${formatDuration(fit.max_ms)}", or a number of seconds.`;
  return { reason: `${shown} is not ${fit.value === null ? 'a duration' : range}`, hint };
}
