/** The command lines of guard that the README and the documents name in running text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/cli/commands.ts';
import { PACKAGE } from '../install/scratch.ts';
import type { ShownLine } from './command-blocks.ts';
import { PAGES } from './json.ts';

const NAMES = COMMANDS.map(({ name }) => name);
const INLINE = /(?<!`)`(guard [^`\n]+)`(?!`)/g;

export const isCall = (line: string): boolean => NAMES.includes(/^guard ([a-z-]+)/.exec(line)?.[1] ?? '');

/** Without one that offers a choice. In the others, `…` and brackets only say that more may follow. */
export const namedLines: readonly ShownLine[] = PAGES.flatMap((page) =>
  [...readFileSync(join(PACKAGE, page), 'utf8').matchAll(INLINE)]
    .map(([, line = '']) => line.replace(/ \[[^\]]*\]/g, '').replaceAll(/(?<=\w)…/g, ''))
    // `guard off 8m` is part of the status line.
    .filter((line) => isCall(line) && !/[[\]|<>…]|\.\.\.|^guard off 8m$/.test(line))
    .map((line) => ({ page, line })),
);
