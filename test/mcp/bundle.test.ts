/** The MCP SDK and zod are read by `guard mcp` and by nothing else. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PACKAGE } from '../claude/driver/process.ts';

const CLI = join(PACKAGE, 'dist/cli');
const files = ['cli.mjs', ...readdirSync(join(CLI, 'chunks')).map((name) => `chunks/${name}`)];
const textOf = (file: string): string => readFileSync(join(CLI, file), 'utf8');

describe('the MCP server in the package', () => {
  const heavy = files.filter((file) => /notifications\/cancelled|ZodError/.test(textOf(file)));

  it('is one file of its own', () => {
    expect(heavy).toHaveLength(1);
    expect(heavy[0]).toMatch(/^chunks\/serve-/);
  });

  it('is loaded by one command, when that is called', () => {
    const [name = ''] = heavy.map((file) => file.replace('chunks/', ''));
    const users = files.filter((file) => file !== heavy[0] && textOf(file).includes(name));
    expect(users.map((file) => file.replace(/-\w+\.mjs$/, ''))).toEqual(['chunks/mcp']);
    expect(textOf(users[0] ?? '')).toContain(`import("./${name}")`);
  });
});
