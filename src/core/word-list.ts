/** Names written as one text: a cold process that asks for a few need not make a set of hundreds first. */
export interface WordList {
  has(word: string): boolean;
  all(): readonly string[];
}

/** `text`: words with spaces or line breaks between them. */
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
