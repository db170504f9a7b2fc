import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { filesIn, ROOT, textOf } from './sources.ts';

const DIST = join(ROOT, 'dist');
const LIMIT_BYTES = 80 * 1024;
const bundle = (name: string): string => readFileSync(join(DIST, name), 'utf8');
/** The function that loads a file on use (scripts/lazy.mjs), and the directory that it loads from. */
const ON_USE = /\b([\w$]+)=\((\w+),\w+\)=>\(\.\.\.\w+\)=>\{let \w+="([^"]+)"\+\2\+"\.cjs";/g;
/** In one file's text. */
function requiredBy(text: string): string[] {
  const written = [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name);
  const onUse = [...text.matchAll(ON_USE)].flatMap(([, load = '', , dir = '']) =>
    [...text.matchAll(new RegExp(`[^\\w$.]${load.replaceAll('$', '\\$')}\\("([\\w-]+)","\\w+"\\)`, 'g'))].map(
      ([, name = '']) => `${dir}${name}.cjs`,
    ),
  );
  return [...new Set([...written, ...onUse])];
}
const HOOKS = ['hook-main.cjs', 'hook-command.cjs', 'hook-after.cjs'];

describe('the hook bundle', () => {
  test('is one file of at most 80 KB behind an entry of at most 2.25 KB', () => {
    expect(statSync(join(DIST, 'hook-main.cjs')).size).toBeLessThanOrEqual(LIMIT_BYTES);
    expect(statSync(join(DIST, 'hook.cjs')).size).toBeLessThanOrEqual(2.25 * 1024);
    expect(requiredBy(bundle('hook.cjs')).filter((name) => !isBuiltIn(name))).toEqual([]);
  });

  test('requires built-in modules and files loaded on use, which all exist', () => {
    const required = HOOKS.flatMap((name) => requiredBy(bundle(name)));
    const own = required.filter((name) => name.startsWith('.'));
    expect(own.length).toBeGreaterThan(100);
    expect(own.filter((name) => !existsSync(join(DIST, name)))).toEqual([]);
    const others = required.filter((name) => !name.startsWith('.'));
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
      HOOKS.map(bundle).join('\n') +
      readdirSync(join(DIST, 'on-use'))
        // Next to them are their compiled forms, once they have run.
        .filter((file) => file.endsWith('.cjs') && !FOR_EYES.includes(`on-use/${file}`))
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
    // Proves that the marks are real: the command line's bundle contains commander's.
    const cli = readdirSync(join(DIST, 'cli/chunks'))
      .map((file) => bundle(`cli/chunks/${file}`))
      .join('\n');
    expect(cli).toContain('commander.');
  });
});

/** The sources of each built file, as the build reports them. */
const MADE_OF = JSON.parse(bundle('made-of.json')) as Readonly<Record<string, readonly string[]>>;
const QUICK = /^quick-\w+\.cjs$/;
const HOOK_OF = Object.fromEntries(Object.entries(MADE_OF).filter(([name]) => !QUICK.test(name)));
const APART = Object.entries(MADE_OF).filter(([name]) => name.startsWith('on-use/'));
const packagesIn = (sources: readonly string[]): string[] => [
  ...new Set(sources.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])),
];

describe('what the hook is made of', () => {
  /** Every event pays for these. `GUARD_UPDATE_DOCS=1` rewrites the list. */
  test('are the sources listed in hook-main.txt', () => {
    const made = `${(MADE_OF['hook-main.cjs'] ?? []).join('\n')}\n`;
    const list = join(import.meta.dirname, 'hook-main.txt');
    if (process.env['GUARD_UPDATE_DOCS'] !== undefined) writeFileSync(list, made);
    expect(made.split('\n')).toEqual(readFileSync(list, 'utf8').split('\n'));
  });

  test('is no package; those in files loaded on use are for what few events need, and for eyes', () => {
    expect(packagesIn(MADE_OF['hook-main.cjs'] ?? [])).toEqual([]);
    const used = APART.flatMap(([, sources]) => packagesIn(sources));
    expect([...new Set(used)].sort()).toEqual([
      'ansi-escapes',
      'ansi-regex',
      'ansi-styles',
      'cli-truncate',
      'diff',
      'environment',
      'get-east-asian-width',
      'is-fullwidth-code-point',
      'jsonc-parser',
      'picocolors',
      'slice-ansi',
      'string-width',
      'strip-ansi',
      'unbash',
    ]);
  });

  test('is no face but the hook', () => {
    const ofHooks = Object.entries(HOOK_OF).filter(([name]) => !FOR_EYES.includes(name));
    const faces = ofHooks.flatMap(([name, sources]) =>
      sources.filter((path) => FACES.test(path)).map((path) => `${name}: ${path}`),
    );
    expect(faces).toEqual([]);
    const hooks = ofHooks.map(([name]) => bundle(name)).join('\n');
    for (const name of FOR_EYES) expect(hooks.includes(`"${basename(name, '.cjs')}"`), name).toBe(false);
  });

  test('stands once: what is loaded on use is in no other file but the hooks for commands and for what follows a call', () => {
    const lazy = filesIn('src', /\.ts$/).filter((path) => textOf(path).startsWith('// lazy: '));
    expect(APART.map(([name]) => name)).toEqual(
      lazy.map((path) => `on-use/${basename(path, '.ts')}.cjs`).sort(),
    );
    const homes = (source: string): string[] =>
      Object.keys(HOOK_OF).filter(
        (name) => !TWICE.includes(name) && HOOK_OF[name]?.includes(source) === true,
      );
    expect(lazy.filter((path) => homes(path).length !== 1)).toEqual([]);
    expect(lazy.filter((path) => MADE_OF[AFTER]?.includes(path) === true)).toEqual([
      'src/claude/events/read.ts',
      'src/claude/events/write-post.ts',
      'src/claude/learn.ts',
      'src/core/elsewhere-words.ts',
      'src/core/rules/changed-since.ts',
      'src/core/rules/write-end.ts',
    ]);
    expect(lazy.filter((path) => MADE_OF[COMMANDS]?.includes(path) === true)).toEqual([
      'src/claude/commands/fence-tend.ts',
      'src/claude/commands/notice-all.ts',
      'src/claude/events/bash.ts',
      'src/claude/events/open-call.ts',
      'src/claude/hosts/host.ts',
      'src/claude/shell/mark.ts',
      'src/core/rules/command-begin.ts',
      'src/repo/spelled.ts',
    ]);
  });
});

describe('the driver of the shared ledger', () => {
  /** Strings that only the driver's code contains: names of its parameters and of guard's functions. */
  const MARKS = ['client_encoding', 'commit_2', 'idle_in_transaction'];

  test('is in files of its own, which neither hooks nor their server nor the quick commands contain', () => {
    const chunks = readdirSync(join(DIST, 'cli/chunks')).map((name) => `cli/chunks/${name}`);
    const shared = ['cli/postgres.mjs', ...chunks].map(bundle).join('\n');
    for (const mark of MARKS) expect(shared, mark).toContain(mark);
    // The whole program also contains `guard fleet`.
    const others = readdirSync(DIST).filter((name) => /\.[cm]js$/.test(name) && name !== 'whole.cjs');
    const onUse = readdirSync(join(DIST, 'on-use')).map((name) => `on-use/${name}`);
    for (const name of [...others, ...onUse, 'cli/cli.mjs', 'cli/alone.mjs'])
      for (const mark of MARKS) expect(bundle(name).includes(mark), `${name}: ${mark}`).toBe(false);
  });
});

describe('the whole program in one file', () => {
  test('requires built-in modules only', () => {
    // The names of ajv's files occur in code that ajv generates.
    const loaded = requiredBy(bundle('whole.cjs')).filter((name) => !name.startsWith('ajv'));
    expect(loaded.filter((name) => !isBuiltIn(name))).toEqual(['pg-native']);
  });
});

describe('what agents call all day', () => {
  const bundles = Object.entries(MADE_OF).filter(([name]) => QUICK.test(name));

  test('is one file of at most 180 KB for each kind of call, behind an entry of at most 3 KB', () => {
    expect(bundles.map(([name]) => name).sort()).toEqual([
      'quick-coordination.cjs',
      'quick-help.cjs',
      'quick-lock.cjs',
      'quick-reserve.cjs',
      'quick-status.cjs',
      'quick-statusline.cjs',
    ]);
    for (const [name] of bundles)
      expect(statSync(join(DIST, name)).size, name).toBeLessThanOrEqual(180 * 1024);
    expect(statSync(join(DIST, 'guard.cjs')).size).toBeLessThanOrEqual(3 * 1024);
  });

  test('has no commander but for help, and no colors', () => {
    const packages = bundles.map(([name, sources]) => [name, packagesIn(sources)]);
    expect(Object.fromEntries(packages)).toEqual({
      'quick-coordination.cjs': [],
      'quick-help.cjs': ['commander'],
      'quick-lock.cjs': [],
      'quick-reserve.cjs': [],
      'quick-status.cjs': [],
      'quick-statusline.cjs': [],
    });
  });

  test('requires built-in modules and files loaded on use, which all exist', () => {
    const named = bundles.flatMap(([name]) => requiredBy(bundle(name)));
    const foreign = named.filter((name) => !isBuiltIn(name) && !existsSync(join(DIST, name)));
    expect(foreign).toEqual([]);
  });
});

const COMMANDS = 'hook-command.cjs';
const AFTER = 'hook-after.cjs';
const TWICE = [COMMANDS, AFTER];
/** Output for people, loaded by commands whose own code is bundled like the hook's. */
const FOR_EYES = [
  'on-use/stranger-needs.cjs',
  'on-use/status-words.cjs',
  'on-use/watch-loop.cjs',
  'on-use/watch-screen.cjs',
  'on-use/wide.cjs',
];
/** Colors, too, are output for people. */
const FACES = /^src\/(?:cli\/(?!colors\.)|(?:mcp|http|harness|locks|operations|replay)\/)/;

function isBuiltIn(name: string): boolean {
  return builtinModules.includes(name.replace(/^node:/, ''));
}
