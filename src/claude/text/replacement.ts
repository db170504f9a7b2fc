/**
 * What a replacement makes of a text. The client has habits that a plain replacement lacks, so the answer is
 * a list: every text that one of them leads to. No foreign change leads to any of these.
 */

export interface Replacement {
  readonly from: string;
  readonly to: string;
  readonly all: boolean;
}

/** `$&` and the like in the new text are text, hence the function. */
const replaced = (text: string, from: string, to: string, all: boolean): string =>
  all ? text.replaceAll(from, () => to) : text.replace(from, () => to);

/** The texts that may stand after one replacement; none where the old text does not occur. */
export function afterReplacement(text: string, { from, to, all }: Replacement): readonly string[] {
  // Without old text the new text is the whole file: it was missing, empty or blank.
  if (from === '') return [to];
  if (!text.includes(from)) return [];
  const plain = replaced(text, from, to, all);
  if (to !== '' || from.endsWith('\n') || !text.includes(`${from}\n`)) return [plain];
  // Measured: a deletion takes the newline behind it along; with replace_all it then leaves the others alone.
  return [...new Set([replaced(text, `${from}\n`, '', all), plain])];
}

/** Bound on the texts followed through a MultiEdit: every deletion may double them. */
const TEXTS_MAX = 16;

export function afterReplacements(text: string, replacements: readonly Replacement[]): readonly string[] {
  let texts: readonly string[] = [text];
  for (const replacement of replacements) {
    texts = [...new Set(texts.flatMap((one) => afterReplacement(one, replacement)))].slice(0, TEXTS_MAX);
  }
  return texts;
}
