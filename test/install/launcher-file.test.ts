import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATTERNS } from '../../src/claude/mcp/names.ts';
import { WRITER_NAMES } from '../../src/claude/tools.ts';
import { PACKAGE } from './scratch.ts';

const SOURCE = join(PACKAGE, 'hooks', 'guard-hook.cjs');

describe('the launcher as a program', () => {
  it('knows the same writing tools as guard', () => {
    const listed = /const WRITE_TOOLS = \[([^\]]*)\]/.exec(readFileSync(SOURCE, 'utf8'))?.[1] ?? '';
    expect(listed.match(/\w+/g)?.sort()).toEqual([...WRITER_NAMES].sort());
  });

  it("has the pattern of known MCP writers, and of other clients' tools, as guard has them", () => {
    const source = readFileSync(SOURCE, 'utf8');
    expect(source).toContain(PATTERNS.writers);
    const tools = readFileSync(join(PACKAGE, 'src', 'claude', 'tools.ts'), 'utf8');
    const elsewhere = /const ELSEWHERE =\n +(\/.+)/;
    expect(elsewhere.exec(source)?.[1]).toBe(elsewhere.exec(tools)?.[1]);
  });

  it('needs nothing but Node built-ins', () => {
    const required = [...readFileSync(SOURCE, 'utf8').matchAll(/require\('([^']+)'\)/g)].map(
      (match) => match[1],
    );
    expect(new Set(required)).toEqual(new Set(['fs', 'os', 'path', 'url']));
  });
});
