import { Command } from 'commander';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { PACKAGE, text } from '../install/scratch.ts';
import { SILENT_SHELL } from './silent-shell.ts';

const sections = new Map(
  text(join(PACKAGE, 'docs', 'commands.md'))
    .split(/^## guard /m)
    .slice(1)
    .map((section) => [section.split('\n', 1)[0] ?? '', section]),
);

const optionsOf = (command: Command): string[] => [
  ...command.options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? ''),
  ...command.commands.flatMap(optionsOf),
];

describe('docs/commands.md', () => {
  it.each(COMMANDS.map(({ name, load }) => ({ name, load })))(
    'describes guard $name and each of its options',
    async ({ name, load }) => {
      const command = new Command(name);
      (await load()).define(command, SILENT_SHELL, COMMANDS);
      const section = sections.get(name) ?? '';
      expect(section).not.toBe('');
      expect(optionsOf(command).filter((option) => !section.includes(`\`${option}`))).toEqual([]);
      expect(
        command.commands.map((sub) => sub.name()).filter((sub) => !section.includes(`guard ${name} ${sub}`)),
      ).toEqual([]);
    },
  );

  it('describes no command that is not there', () => {
    expect(
      [...sections.keys()].filter((name) => name !== 'hook' && !COMMANDS.some((row) => row.name === name)),
    ).toEqual([]);
  });
});
