/** Guard accepts every command line that the README and the documents show, also in running text. documents.test.ts and named-lines.test.ts run them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { spelledOut } from '../../src/cli/spelled-out.ts';
import { declared, wordsIn } from '../cli/declared.ts';
import { PACKAGE } from '../install/scratch.ts';
import { PAGES } from './json.ts';
import { isCall, namedLines } from './named-lines.ts';

interface Shown {
  readonly page: string;
  readonly line: string;
}

const NAMES = COMMANDS.map(({ name }) => name);

const FENCED = /^```(?:sh|bash|console|shell)?\n(.*?)^```/gms;

const shown = (find: (text: string) => readonly string[]): readonly Shown[] =>
  PAGES.flatMap((page) =>
    find(readFileSync(join(PACKAGE, page), 'utf8'))
      .filter(isCall)
      .map((line) => ({ page, line })),
  );

/** Each call in a list of commands (`guard a && guard b`). A comment begins with `#`, or after three spaces. */
const typed = shown((text) =>
  [...text.matchAll(FENCED)].flatMap(([, block = '']) =>
    block
      .replaceAll('\\\n', ' ')
      .split(/\n|&&|;/)
      .map((line) =>
        line
          .trim()
          .replace(/^\$ /, '')
          .replace(/ {3,}.*$/, ''),
      ),
  ),
);

/** Errors allowed if a text only names a command: `guard deadlock --log`, `guard init --host NAME`. */
const ONLY_NAMED = ['missingArgument', 'optionMissingArgument', 'invalidArgument', 'helpDisplayed', 'help'];

async function refused(lines: readonly Shown[], fine: readonly string[] = []): Promise<readonly object[]> {
  const wrong: object[] = [];
  for (const { page, line } of lines) {
    const words = spelledOut(wordsIn(line).slice(1), COMMANDS);
    const program = await declared(words.find((word) => NAMES.includes(word)));
    await program.parseAsync(words, { from: 'user' }).catch((error: unknown) => {
      const code = error instanceof CommanderError ? error.code.replace('commander.', '') : String(error);
      if (!fine.includes(code)) wrong.push({ page, line, code });
    });
  }
  return wrong;
}

describe('the documents', () => {
  it('show many command lines', () => {
    expect(typed.length).toBeGreaterThan(40);
    expect(namedLines.length).toBeGreaterThan(300);
  });

  it('show only command lines that guard accepts', async () => {
    expect(await refused(typed)).toEqual([]);
  });

  it('name only scripts and files of the checkout that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const texts = PAGES.map((page) => readFileSync(join(PACKAGE, page), 'utf8')).join('\n');
    const npm = [...texts.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name);
    const files = [
      ...texts.matchAll(/\b(?:node|vitest run) (?:--[\w-]+ )*((?:scripts|test|native)\/[\w./-]+)/g),
    ].map(([, file = '']) => file);
    expect(npm.length).toBeGreaterThan(25);
    expect(files.length).toBeGreaterThan(20);
    expect(npm.filter((name) => scripts[name] === undefined)).toEqual([]);
    expect(files.filter((file) => !existsSync(join(PACKAGE, file)))).toEqual([]);
  });

  it('name only commands that guard accepts', async () => {
    // The hook reads its own arguments before the command line is parsed.
    const calls = namedLines.filter(({ line }) => !/^guard hook\b/.test(line));
    expect(await refused(calls, ONLY_NAMED)).toEqual([]);
  });
});
