import type { Call } from '../call.ts';

/** The output of a call; null if it is unknown. */
export type Output = (call: Call) => string | null;

/** The texts of all words; null if one is unknown. */
export function wordsOf(args: Call['args']): readonly string[] | null {
  const texts = args.flatMap(({ text }) => text ?? []);
  return texts.length === args.length ? texts : null;
}
