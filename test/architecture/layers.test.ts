import { describe, expect, test } from 'vitest';

import { filesIn, importsOf, reachedFrom, textOf } from './sources.ts';

/**
 * Which folder of src/ may import which. docs/architecture.md draws the same; `claude` and `install` know each other's
 * words (which tools write; what an installed hook looks like), but no two files import each other in a circle.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  repo: ['core'],
  shell: ['core'],
  git: ['core', 'repo'],
  fence: ['core', 'repo'],
  forecast: ['core', 'repo', 'store'],
  contents: ['core', 'repo'],
  store: ['core', 'repo', 'fence'],
  config: ['core', 'repo'],
  settings: ['core', 'install'],
  claude: [
    'core',
    'repo',
    'shell',
    'git',
    'fence',
    'contents',
    'store',
    'config',
    'install',
    'settings',
    'workspace',
    'worktrees',
  ],
  locks: ['core', 'repo', 'store', 'workspace'],
  worktrees: ['core', 'repo', 'git', 'store', 'install', 'workspace'],
  harness: ['core', 'repo', 'store', 'config', 'install', 'locks', 'workspace', 'worktrees'],
  operations: [
    ...['core', 'repo', 'fence', 'forecast', 'store', 'config', 'install', 'settings'],
    ...['workspace', 'locks', 'harness'],
  ],
  mcp: ['core', 'locks', 'operations', 'workspace'],
  http: ['core', 'repo', 'store', 'locks', 'operations', 'workspace'],
  install: ['core', 'repo', 'fence', 'forecast', 'contents', 'store', 'config', 'claude', 'settings', 'warm'],
  warm: ['core', 'repo', 'store', 'config', 'workspace', 'claude', 'http'],
  replay: ['core', 'repo', 'store', 'config', 'claude', 'install'],
  workspace: ['core', 'repo', 'store', 'config', 'install'],
  cli: [
    ...[
      'core',
      'repo',
      'git',
      'fence',
      'forecast',
      'contents',
      'store',
      'config',
      'claude',
      'install',
      'replay',
    ],
    ...['workspace', 'locks', 'harness', 'operations', 'mcp', 'http', 'warm', 'worktrees'],
  ],
};

const folderOf = (path: string): string => path.split('/')[1] ?? '';
const SOURCES = filesIn('src', /\.ts$/);
const IMPORTS = SOURCES.flatMap(importsOf);

describe('the folders of src/', () => {
  test('every folder has its place in the table', () => {
    expect([...new Set(SOURCES.map(folderOf))].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  });

  test('core imports nothing but core, not even a built-in module', () => {
    const core = SOURCES.filter((path) => folderOf(path) === 'core');
    expect(core.length).toBeGreaterThan(10);
    const outside = core
      .flatMap(importsOf)
      .filter(({ to, is_package }) => is_package || folderOf(to) !== 'core');
    expect(outside).toEqual([]);
    expect(core.filter((path) => importsBuiltIn(path))).toEqual([]);
  });

  test('nobody imports from a folder that the table does not allow', () => {
    const wrong = IMPORTS.filter(({ is_package }) => !is_package)
      .filter(({ from, to }) => folderOf(from) !== folderOf(to))
      .filter(({ from, to }) => MAY_IMPORT[folderOf(from)]?.includes(folderOf(to)) !== true);
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  test('no files import each other in a circle at run time', () => {
    expect(circles()).toEqual([]);
  });

  test('nobody outside of store/ imports an engine', () => {
    const engines = IMPORTS.filter(
      ({ from, to }) => /^src\/store\/(?:embedded|postgres)\//.test(to) && !from.startsWith('src/store/'),
    );
    expect(engines).toEqual([]);
  });

  test('every file is reached from an entry', () => {
    const entries = [
      'src/claude/entry.ts',
      'src/claude/worktree-events.ts',
      'src/claude/main.ts',
      'src/claude/adapters/main.ts',
      'src/cli/main.ts',
      'src/cli/quick/entry.ts',
      ...SOURCES.filter((path) => path.startsWith('src/cli/quick/bundles/')),
      'src/config/json-schema.ts',
      'src/harness/alone.ts',
      'src/harness/entry.ts',
      'src/harness/supervise.ts',
      'src/install/static-files.ts',
      'src/store/postgres/thread.ts',
      'src/warm/main.ts',
    ];
    const values = new Set(entries.flatMap((entry) => reachedFrom(entry).files));
    const types = new Set(IMPORTS.filter(({ is_type }) => is_type).map(({ to }) => to));
    const unused = SOURCES.filter((path) => !values.has(path) && !types.has(path));
    expect(unused).toEqual([]);
  });
});

function importsBuiltIn(path: string): boolean {
  return /from 'node:|getBuiltinModule|require\(/.test(textWithoutComments(path));
}

function textWithoutComments(path: string): string {
  return textOf(path).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}

function circles(): string[] {
  const next = new Map(
    SOURCES.map((path) => [
      path,
      importsOf(path)
        .filter(({ is_type, is_package }) => !is_type && !is_package)
        .map(({ to }) => to),
    ]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (path: string, above: readonly string[]): void => {
    const at = above.indexOf(path);
    if (at >= 0) found.push([...above.slice(at), path].join(' -> '));
    if (at >= 0 || done.has(path)) return;
    for (const to of next.get(path) ?? []) walk(to, [...above, path]);
    done.add(path);
  };
  for (const path of SOURCES) walk(path, []);
  return found;
}
