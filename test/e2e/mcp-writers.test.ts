/** A file server with a common key, and an unknown one: the client asks guard about each call, once. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

import { denialOf, isDenied, lockCommandOf } from './client/denial.ts';
import { failedHooks, guarded, logOf, userSettings } from './client/guarded.ts';
import { bash, say, use } from './client/scenario.ts';
import { situation } from './client/stage.ts';

const SERVER = { command: process.execPath, args: [join(import.meta.dirname, 'client/file-server.mjs')] };

situation(
  'a known file server is judged without configuration, and an unknown one only at a file that somebody holds',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': 'one\n' });
    userSettings(scratch, {
      permissions: { allow: ['mcp__filesystem', 'mcp__lab'] },
      enabledMcpjsonServers: ['filesystem', 'lab'],
    });
    writeFileSync(
      scratch.path('.mcp.json'),
      JSON.stringify({ mcpServers: { filesystem: SERVER, lab: SERVER } }),
    );
    expect(scratch.guard('lock', 'try', 'b.txt', '--agent', 'another').code).toBe(0);
    const write = (tool: string, file: string) => use(tool, { path: scratch.path(file), content: 'two\n' });
    const known = write('mcp__filesystem__write_file', 'a.txt');

    const { run, api } = await stage.play(
      scratch,
      {
        main: [
          known,
          ({ results }) => bash(lockCommandOf(denialOf(results[0]))),
          known,
          write('mcp__lab__transform', 'b.txt'),
          write('mcp__lab__transform', 'c.txt'),
          say('Done.'),
        ],
      },
      { prompt: '[[main]] Go.' },
    );

    const told = api.results('main');
    expect(told.map((result) => isDenied(result))).toEqual([true, false, false, true, false]);
    expect(denialOf(told[0]).error_type).toBe('NOT_LOCKED');
    expect(denialOf(told[3])).toMatchObject({
      error_type: 'LOCKED_BY_OTHER',
      details: { holder: 'another' },
    });
    expect(['a.txt', 'b.txt', 'c.txt'].map((file) => scratch.read(file))).toEqual([
      'two\n',
      'one\n',
      'two\n',
    ]);
    const asked = (tool: string) =>
      run.hooks.filter(({ hook_name }) => hook_name === `PreToolUse:${tool}`).length;
    expect(['mcp__filesystem__write_file', 'mcp__lab__transform'].map(asked)).toEqual([2, 2]);
    expect(logOf(scratch, '--type', 'write.rejected')).toHaveLength(2);
    expect(logOf(scratch, '--type', 'write')).toMatchObject([
      { path: 'a.txt', tool: 'mcp__filesystem__write_file' },
    ]);
    expect(failedHooks(run)).toEqual([]);
  },
);
