/** A list of names kept as one text, so that a cold process that checks a few need not build a set of hundreds. */
export interface WordList {
  has(word: string): boolean;
  all(): readonly string[];
}

/** @param text words separated by spaces or line breaks */
export const wordList = (text: string): WordList => ({
  has: (word) => word !== '' && isOne(word) && stands(word, text),
  all: () => text.split(/\s+/).filter((word) => word !== ''),
});

const isOne = (word: string): boolean => !word.includes(' ') && !word.includes('\n');

function stands(word: string, text: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (isEdge(text[at - 1]) && isEdge(text[at + word.length])) return true;
  return false;
}

const isEdge = (char: string | undefined): boolean => char === undefined || char === ' ' || char === '\n';
