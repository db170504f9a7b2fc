import type { Call } from '../call.ts';

/** What a call prints. Null: nobody can tell. */
export type Output = (call: Call) => string | null;

/** The texts of all words; null where one is not known. */
export function wordsOf(args: Call['args']): readonly string[] | null {
  const texts = args.flatMap(({ text }) => text ?? []);
  return texts.length === args.length ? texts : null;
}
