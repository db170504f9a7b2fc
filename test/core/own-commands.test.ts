import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { OWN_TOOL } from '../../src/claude/route.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import type { Shell } from '../../src/cli/shell.ts';
import { HARNESS_TOOLS } from '../../src/core/harness-tools.ts';
import { COORDINATION_NAMES, LOCK_TOOLS } from '../../src/core/lock-tools.ts';
import { OWN_COMMANDS } from '../../src/core/own-commands.ts';

/** Declaring options needs nothing of the shell. */
const SHELL = {} as Shell;

async function defined(name: string): Promise<Command> {
  const row = COMMANDS.find((one) => one.name === name);
  if (row === undefined) throw new Error(`guard has no command ${name}`);
  const command = new Command(name);
  (await row.load()).define(command, SHELL, COMMANDS);
  return command;
}

const takesAgent = (command: Command): boolean => command.options.some(({ long }) => long === '--agent');

describe("a command of guard's own that agents run", () => {
  it.each(Object.entries(OWN_COMMANDS))('%s takes --agent where the hook would put it', async (name, row) => {
    const command = await defined(name);
    const { speaks } = row;
    if (speaks === 'itself') expect(takesAgent(command)).toBe(true);
    if (speaks === 'itself' || speaks === undefined) return;
    const below = command.commands.filter((one) => speaks === 'below' || speaks.includes(one.name()));
    expect(below.length).toBeGreaterThan(0);
    expect(below.filter((one) => !takesAgent(one)).map((one) => one.name())).toEqual([]);
    if (speaks !== 'below') expect(below.map((one) => one.name()).sort()).toEqual([...speaks].sort());
  });

  it('is none that people are there for', () => {
    const free = Object.keys(OWN_COMMANDS).filter((name) => OWN_COMMANDS[name]?.is_free === true);
    expect(
      ['init', 'uninstall', 'off', 'doctor', 'undo', 'agent'].filter((name) => free.includes(name)),
    ).toEqual([]);
  });
});

it.each([...LOCK_TOOLS, ...COORDINATION_NAMES, ...HARNESS_TOOLS.filter((name) => !/^get_/.test(name))])(
  'the hook knows %s for one of its own tools',
  (name) => {
    expect(OWN_TOOL.test(`mcp__guard__${name}`)).toBe(true);
  },
);
