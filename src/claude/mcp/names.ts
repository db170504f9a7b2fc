/** What the name of an MCP tool says about its effect. */

const LOOKS = new Set(['read', 'get', 'list', 'find', 'search', 'show']);
const CHANGES = new Set(
  (
    'write edit replace delete remove update create patch move rename insert ' +
    'append save set put apply overwrite modify copy reformat'
  ).split(' '),
);
/** Asking for a lock does not write the file; guard's own and other lock servers check for themselves. */
const ASKS = new Set(['lock', 'unlock', 'lease', 'reserve', 'reservation', 'release', 'unreserve']);

/** Whether the tool's name says that it reads or asks for a lock, and does not say that it changes something. */
export function toolOnlyLooks(tool: string): boolean {
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

/** Keys of the servers in known.ts, as one readable line of a matcher; it matches a few more. */
const KEYS =
  '[\\w-]*(?:[fF]ile|fs|[sS]erena|[jJ]et[bB]rains|intellij|idea|storm|pycharm|goland|rubymine|clion|rustrover|rider|[cC]ommander|[eE]ditor|morph|wcgw)[\\w-]*';
const VERBS = [...CHANGES].map((word) => (/^(?:write|edit)$/.test(word) ? capital(word) : word)).join('|');

function capital(word: string): string {
  return `[${word[0] ?? ''}${word[0]?.toUpperCase() ?? ''}]${word.slice(1)}`;
}

/**
 * Parts of matchers, for the full name after `mcp__`. Each matches at least its tools; guard then distinguishes them by
 * whole words and exact keys.
 */
export const PATTERNS = {
  writers: `(?:${KEYS}__\\w*(?:${VERBS})\\w*|[\\w-]+__(?:Multi|Notebook)?(?:Edit|Write))`,
  readers: `(?:${KEYS}__\\w*(?:[rR]ead|get)\\w*|[\\w-]+__Read)`,
  /** Never matches more than tools that only read, because these tools are not checked at all. */
  looks: `[\\w-]+?__(?:${[...LOOKS].join('|')})(?![a-z])(?!\\w*(?:${[...CHANGES].join('|')}|Write|Edit))[\\w-]*`,
} as const;
