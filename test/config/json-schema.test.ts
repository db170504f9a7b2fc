import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromJSONSchema } from 'zod';
import { checkFile } from '../../src/config/check.ts';
import { jsonSchema } from '../../src/config/json-schema.ts';

const root = join(import.meta.dirname, '../..');

describe('guard.schema.json', () => {
  it('is up to date (node scripts/schema.mjs)', () => {
    expect(JSON.parse(readFileSync(join(root, 'guard.schema.json'), 'utf8'))).toEqual(jsonSchema());
    execFileSync(process.execPath, [join(root, 'scripts/schema.mjs'), '--check'], { stdio: 'pipe' });
  });

  it('agrees with the checker, but for the range of a duration that is written as text', () => {
    const schema = fromJSONSchema(jsonSchema());
    const odd = fc.constantFrom<unknown>(null, 0, -1, 1e9, '', 'x', '15m', [], {}, true);
    const or = (...values: unknown[]): fc.Arbitrary<unknown> =>
      fc.oneof({ arbitrary: fc.constantFrom(...values), weight: 40 }, { arbitrary: odd, weight: 1 });
    const tool = fc.record(
      { tool: or('mcp__a__b', 'mcp__a__*', 'Write'), paths: or(['path'], ['a.b', 'c'], []) },
      { requiredKeys: [] },
    );
    const tools = fc.oneof(fc.array(tool, { maxLength: 2 }), odd);
    const duration = or('20s', '15m', '1.5h', 60, 90.5);
    const file = fc.record(
      {
        $schema: or('x'),
        preset: or('standard', 'strict', 'auto'),
        enforcement: or('required', 'auto', 'off'),
        unread: or('changed', 'always', 'off'),
        ttl: duration,
        idle: duration,
        release_on: or('stop', 'session_end', 'never'),
        durability: or('process', 'fsync'),
        deadline: or('5s', 2, '500ms'),
        mcp: fc.oneof(fc.record({ writers: tools, readers: tools }, { requiredKeys: [] }), odd),
        allow_weaker: or(true, false),
        unred: fc.constant('typo'),
      },
      { requiredKeys: [] },
    );
    const count = { good: 0, bad: 0 };
    fc.assert(
      fc.property(file, fc.boolean(), ({ unred, ...rest }, typo) => {
        const value = typo && unred !== undefined ? { ...rest, unred } : rest;
        const { problems } = checkFile(value, 'user');
        const out_of_range = problems.some((it) => it.reason.includes('is not from'));
        const good = problems.length === 0;
        count[good ? 'good' : 'bad']++;
        if (out_of_range) return;
        expect({ value, ok: schema.safeParse(value).success }).toEqual({ value, ok: good });
      }),
      { numRuns: 2000 },
    );
    expect(Math.min(count.good, count.bad)).toBeGreaterThan(200);
  });

  it('has a description for every key, and docs/configuration.md a section', () => {
    const { properties } = jsonSchema() as { properties: Record<string, { description: string }> };
    const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
    for (const [name, { description }] of Object.entries(properties)) {
      expect(description.length).toBeGreaterThan(10);
      expect(page).toContain(`\`${name}\``);
    }
  });
});
