/** The plugin's commands and skills: everything they tell an agent to call exists, and they stay short. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { DENIAL_KINDS } from '../../src/core/denial-kinds.ts';
import { SERVED_COORDINATION_TOOLS } from '../../src/mcp/coordination-tools.ts';
import { SERVED_LOCK_TOOLS } from '../../src/mcp/lock-tools.ts';
import { PACKAGE, text } from './scratch.ts';
import { SILENT_SHELL } from '../cli/silent-shell.ts';

const names = (dir: string): string[] => readdirSync(join(PACKAGE, dir)).sort();
const COMMAND_FILES = names('commands').map((name) => `commands/${name}`);
const SKILL_FILES = names('skills').map((name) => `skills/${name}/SKILL.md`);
const FILES = [...COMMAND_FILES, ...SKILL_FILES];

const CHARS_MAX = 3_000;
const GUARD = 'node "${CLAUDE_PLUGIN_ROOT}/bin/guard.cjs"';

interface Page {
  readonly front: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The client reads YAML. Only plain one-line values are used, which can be read reliably without a parser. */
function pageOf(file: string): Page {
  const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text(join(PACKAGE, file))) ?? [];
  const rows = front.split('\n').map((line) => /^([a-z-]+): (\S.*)$/.exec(line)?.slice(1) ?? [line, '']);
  return { front: Object.fromEntries(rows) as Record<string, string>, body };
}

const spans = ({ body }: Page): string[] => [...body.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);

/** The guard commands that a page names, without the leading `guard`. */
const callsIn = (page: Page): string[] =>
  spans(page)
    .map((span) => span.replace(/ \|\| true$/, ''))
    .flatMap((span) =>
      [GUARD, 'guard'].filter((own) => span.startsWith(`${own} `)).map((own) => span.slice(own.length + 1)),
    );

const wordsOf = (call: string): string[] =>
  [...call.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');

const silent = (command: Command): Command => {
  command
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .allowExcessArguments(false);
  if (command.commands.length === 0) command.action(() => undefined);
  command.commands.forEach(silent);
  return command;
};

/** Parses a call with the real definitions without running it. `null` if it is valid. */
async function problemOf(call: string): Promise<string | null> {
  const [name = '', ...words] = wordsOf(call);
  const row = COMMANDS.find((one) => one.name === name);
  if (row === undefined) return `no command ${name}`;
  const command = new Command(name);
  (await row.load()).define(command, SILENT_SHELL, COMMANDS);
  try {
    await silent(command).parseAsync(words, { from: 'user' });
    return null;
  } catch (error) {
    return `${call}: ${String(error)}`;
  }
}

const TOOL_NAMES = [...SERVED_LOCK_TOOLS, ...SERVED_COORDINATION_TOOLS].map(({ name }) => name);
const isToolLike = (span: string): boolean => /^[a-z]+(?:_[a-z]+)+$/.test(span.replace(/^mcp__\w+__/, ''));

describe.each(FILES)('%s', (file) => {
  const page = pageOf(file);

  it('has front matter that the client reads, and is short', () => {
    expect(Object.keys(page.front).filter((key) => !KEYS.includes(key))).toEqual([]);
    expect(page.front['description']?.length).toBeGreaterThan(20);
    expect(Object.values(page.front).filter((value) => value === '' || /: |#/.test(value))).toEqual([]);
    expect(text(join(PACKAGE, file)).length).toBeLessThan(CHARS_MAX);
  });

  it('names only commands and options that exist', async () => {
    const calls = callsIn(page);
    expect(calls.length).toBeGreaterThan(0);
    expect((await Promise.all(calls.map(problemOf))).filter((problem) => problem !== null)).toEqual([]);
  });

  it('names only tools that exist', () => {
    const tools = spans(page).filter((span) => isToolLike(span) && !['error_type'].includes(span));
    expect(tools.filter((tool) => !TOOL_NAMES.includes(tool.replace(/^mcp__\w+__/, '')))).toEqual([]);
  });
});

const KEYS = ['name', 'description', 'argument-hint', 'allowed-tools', 'disable-model-invocation'];

describe('a command of the plugin', () => {
  it('is one of join, leave, setup, status', () => {
    expect(COMMAND_FILES).toEqual(['join', 'leave', 'setup', 'status'].map((name) => `commands/${name}.md`));
  });

  it.each(COMMAND_FILES)(
    '%s may run what it runs by itself, and nothing that others typed goes into it',
    (file) => {
      const { front, body } = pageOf(file);
      const rules = [...(front['allowed-tools'] ?? '').matchAll(/Bash\((.*?)\)(?:, |$)/g)].map(
        ([, rule = '']) => rule,
      );
      const runs = [...body.matchAll(/^!`(.+?)`$/gm)].map(([, run = '']) => run);
      expect(runs.length).toBeGreaterThan(0);
      for (const run of runs) {
        // A nonzero exit code would end the prompt silently.
        expect(run).toMatch(/ \|\| true$/);
        expect(run).not.toContain('$ARGUMENTS');
        const call = run.replace(/ \|\| true$/, '');
        expect(
          rules.some((rule) => (rule.endsWith(':*') ? call.startsWith(rule.slice(0, -2)) : call === rule)),
        ).toBe(true);
      }
      expect(rules).toContain('true');
      expect(rules.filter((rule) => rule !== 'true' && !rule.startsWith(`${GUARD} `))).toEqual([]);
    },
  );
});

describe('a skill of the plugin', () => {
  it.each(SKILL_FILES)('%s is named after its directory', (file) => {
    expect(pageOf(file).front['name']).toBe(file.split('/')[1]);
  });

  it('says what to do for every kind of denial', () => {
    const { body, front } = pageOf('skills/conflict-recovery/SKILL.md');
    for (const kind of Object.keys(DENIAL_KINDS)) {
      expect(body).toContain(`| \`${kind}\` |`);
      expect(front['description']).toContain(kind);
    }
  });
});

it('the package brings the plugin along, of one version', () => {
  const { files, version } = JSON.parse(text(join(PACKAGE, 'package.json'))) as {
    files: string[];
    version: string;
  };
  expect(files).toEqual(expect.arrayContaining(['.claude-plugin', 'commands', 'skills', 'hooks', 'bin']));
  const plugin = JSON.parse(text(join(PACKAGE, '.claude-plugin/plugin.json'))) as { version: string };
  expect(plugin.version).toBe(version);
  expect(FILES.filter((file) => !existsSync(join(PACKAGE, file)))).toEqual([]);
});

it('what is wrong is found', async () => {
  expect(await problemOf('lock try FILE… --ttl 5m')).toBe(null);
  for (const wrong of [
    'lok try',
    'lock grab x',
    'lock try x --forever',
    'status extra',
    'reserve x --forever',
  ])
    expect(await problemOf(wrong)).not.toBe(null);
});
