/** Only `guard mcp` loads the MCP SDK; only code that validates its input with zod loads zod. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PACKAGE } from '../claude/driver/process.ts';

const CLI = join(PACKAGE, 'dist/cli');
const files = ['cli.mjs', ...readdirSync(join(CLI, 'chunks')).map((name) => `chunks/${name}`)];
const textOf = (file: string): string => readFileSync(join(CLI, file), 'utf8');
const having = (mark: RegExp): string[] => files.filter((file) => mark.test(textOf(file)));
/** Files that import this one: statically (`at once`), or in any way (`called`). */
const usersOf = (file: string, when: 'called' | 'at once'): string[] => {
  const name = `"./${file.replace('chunks/', '')}"`;
  return files.filter((user) => {
    const text = textOf(user).replaceAll(`import(${name})`, when === 'called' ? name : '');
    return user !== file && (when === 'called' ? text.includes(name) : text.includes(`from${name}`));
  });
};
const stems = (names: readonly string[]): string[] =>
  names.map((file) => file.replace(/^chunks\/|-\w+\.mjs$/g, '')).sort();

describe('the MCP server in the package', () => {
  const [sdk = '', ...more] = having(/notifications\/cancelled/);

  it('is one file of its own', () => {
    expect(more).toEqual([]);
    expect(stems([sdk])).toEqual(['serve']);
  });

  it('is loaded by one command, when that is called', () => {
    expect(stems(usersOf(sdk, 'called'))).toEqual(['mcp']);
    expect(usersOf(sdk, 'at once')).toEqual([]);
  });

  it('shares zod with the HTTP server and the reader of plans, and no other file reads it', () => {
    const [zod = '', ...others] = having(/\$ZodNumberFormat/);
    expect(others).toEqual([]);
    const users = usersOf(zod, 'at once');
    expect(stems(users)).toEqual(['plan-file', 'serve', 'serve']);
    for (const user of users) expect(usersOf(user, 'at once'), user).toEqual([]);
    expect(stems(users.flatMap((user) => usersOf(user, 'called')))).toEqual(['agent', 'mcp', 'serve']);
  });
});
