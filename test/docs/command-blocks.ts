/** The command lines that the README and the documents show in blocks, as a reader would type them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from '../install/scratch.ts';
import { PAGES } from './json.ts';

export interface ShownLine {
  readonly page: string;
  /** Complete, with everything that the shell would do. */
  readonly line: string;
}

const FENCED = /^ *```(\w*)\n(.*?)^ *```/gms;
/** A block without a language is one of commands if its first line begins with one of these. */
const PROGRAM =
  /^(?:\$ )?(?:[A-Z]\w*=\S* *)*(?:S=|(?:guard|npm|npx|node|git|curl|claude|source|cat|cd|mkdir|openssl|install)\s)/;
const SHELL = new Set(['sh', 'bash', 'shell', 'console']);

/** A comment begins with `#`; some blocks explain a line after three spaces. */
const typedIn = (line: string): string =>
  line
    .trim()
    .replace(/^\$ /, '')
    .replace(/ +# .*$| {3,}.*$/, '');

function commandsIn(language: string, block: string): readonly string[] {
  const lines = block
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
  const [first = ''] = lines;
  if (!SHELL.has(language) && (language !== '' || !PROGRAM.test(first))) return [];
  // With a prompt before the commands, everything else is output.
  const prompted = lines.filter((line) => line.startsWith('$ '));
  return (prompted.length > 0 ? prompted : lines).map(typedIn);
}

export const shownLines: readonly ShownLine[] = PAGES.flatMap((page) =>
  [...readFileSync(join(PACKAGE, page), 'utf8').matchAll(FENCED)].flatMap(([, language = '', block = '']) =>
    commandsIn(language, block).map((line) => ({ page, line })),
  ),
);
