import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { reachedFrom, ROOT, textOf } from './sources.ts';

const DIST = join(ROOT, 'dist');
const LIMIT_BYTES = 80 * 1024;
/** The sources that the build makes files of their own of. */
const ON_USE = [
  ...(/const ON_USE = \[([\s\S]*?)\n\];/.exec(textOf('scripts/build.mjs'))?.[1] ?? '').matchAll(
    /'(src\/[^']+)'/g,
  ),
].map(([, path = '']) => path);
const bundle = (name: string): string => readFileSync(join(DIST, name), 'utf8');
const requiredBy = (text: string): string[] => [
  ...new Set([...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name)),
];

describe('the hook bundle', () => {
  test('is one file of at most 80 KB behind an entry of at most 2 KB', () => {
    expect(statSync(join(DIST, 'hook-main.cjs')).size).toBeLessThanOrEqual(LIMIT_BYTES);
    expect(statSync(join(DIST, 'hook.cjs')).size).toBeLessThanOrEqual(2 * 1024);
    expect(requiredBy(bundle('hook.cjs')).filter((name) => !isBuiltIn(name))).toEqual([]);
  });

  test('requires built-in modules and files loaded on use, which all exist', () => {
    const own = requiredBy(bundle('hook-main.cjs')).filter((name) => name.startsWith('.'));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((name) => !existsSync(join(DIST, name)))).toEqual([]);
    const others = requiredBy(bundle('hook-main.cjs')).filter((name) => !name.startsWith('.'));
    expect(others.filter((name) => !isBuiltIn(name))).toEqual([]);
  });

  test('has every file loaded on use, and each of them requires nothing but built-ins and its siblings', () => {
    const files = readdirSync(join(DIST, 'on-use'));
    const named = files.flatMap((file) => requiredBy(bundle(`on-use/${file}`)));
    const foreign = named.filter((name) => !name.startsWith('./') && !isBuiltIn(name));
    expect(foreign).toEqual([]);
    expect(named.filter((name) => name.startsWith('./') && !existsSync(join(DIST, 'on-use', name)))).toEqual(
      [],
    );
  });

  test('holds no commander, no MCP SDK and no zod', () => {
    const hook =
      bundle('hook-main.cjs') +
      readdirSync(join(DIST, 'on-use'))
        .map((file) => bundle(`on-use/${file}`))
        .join('\n');
    for (const mark of [
      'CommanderError',
      'commander.',
      'modelcontextprotocol',
      'ZodError',
      '_zod',
      '~standard',
    ]) {
      expect(hook.includes(mark), mark).toBe(false);
    }
    // The marks are real ones: the command line's bundle has commander's.
    const cli = readdirSync(join(DIST, 'cli/chunks'))
      .map((file) => bundle(`cli/chunks/${file}`))
      .join('\n');
    expect(cli).toContain('commander.');
  });

  test('is made of sources that use no package at all; two are in files loaded on use', () => {
    expect(ON_USE.length).toBeGreaterThan(0);
    expect(reachedFrom('src/claude/main.ts', ON_USE).packages).toEqual([]);
    expect(reachedFrom('src/claude/main.ts').packages).toEqual(['diff', 'unbash']);
  });
});

function isBuiltIn(name: string): boolean {
  return builtinModules.includes(name.replace(/^node:/, ''));
}
