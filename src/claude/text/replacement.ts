/**
 * The result of a replacement in a text. The client has quirks that a plain replacement lacks, so the result is a list:
 * every text to which one of them leads. No change by someone else leads to any of these.
 */

export interface Replacement {
  readonly from: string;
  readonly to: string;
  readonly all: boolean;
}

/** A function, so that `$&` and the like in the new text are not expanded. */
const replaced = (text: string, from: string, to: string, all: boolean): string =>
  all ? text.replaceAll(from, () => to) : text.replace(from, () => to);

/** The possible texts after one replacement; none if the old text does not occur. */
export function afterReplacement(text: string, { from, to, all }: Replacement): readonly string[] {
  // Without old text the new text is the whole file: it was missing, empty or blank.
  if (from === '') return [to];
  if (!text.includes(from)) return [];
  const plain = replaced(text, from, to, all);
  if (to !== '' || from.endsWith('\n') || !text.includes(`${from}\n`)) return [plain];
  // Measured: a deletion also removes the newline after it; with replace_all it then leaves the other occurrences in place.
  return [...new Set([replaced(text, `${from}\n`, '', all), plain])];
}

/** Limit on the texts followed through a MultiEdit: every deletion may double them. */
const TEXTS_MAX = 16;

export function afterReplacements(text: string, replacements: readonly Replacement[]): readonly string[] {
  let texts: readonly string[] = [text];
  for (const replacement of replacements) {
    texts = [...new Set(texts.flatMap((one) => afterReplacement(one, replacement)))].slice(0, TEXTS_MAX);
  }
  return texts;
}
