/** What the name of an MCP tool says it does. */

const LOOKS = new Set(['read', 'get', 'list', 'find', 'search', 'show']);
const CHANGES = new Set([
  ...['write', 'edit', 'replace', 'delete', 'remove', 'update', 'create', 'patch', 'move', 'rename', 'insert'],
  ...['append', 'save', 'set', 'put', 'apply', 'overwrite'],
]);
/** Asking for a file is no write to it; guard's own and other lock servers answer for themselves. */
const ASKS = new Set(['lock', 'unlock', 'lease', 'reserve', 'reservation', 'release', 'unreserve']);

/** True where the tool's name says that it reads, or asks for a lock, and does not say that it changes something. */
export function onlyLooks(tool: string): boolean {
  const words = wordsOf(tool.replace(/^mcp__.+?__/, ''));
  if (words.some((word) => CHANGES.has(word))) return false;
  return words.some((word) => LOOKS.has(word) || ASKS.has(word));
}

/** `getFileText` and `get_file-text` are the same three words. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

/**
 * The same for a matcher, and so a part of it: tools whose name begins with such a word, and has none of the others in it. What it
 * lets through is asked again, with all words.
 */
export const looksPattern = (): string =>
  `[\\w-]+?__(?:${[...LOOKS].join('|')})(?![a-z])(?!.*(?:${[...CHANGES].map((word) => `[${word[0]}${word[0]?.toUpperCase()}]${word.slice(1)}`).join('|')}))[\\w-]*`;
