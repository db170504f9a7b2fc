import { describe, expect, test } from 'vitest';

import { filesIn, importsOf, reachedFrom, textOf } from './sources.ts';

/**
 * Which folder of src/ may import which, as docs/architecture.md says. `claude`, `settings` and `install` use each
 * other's vocabulary (which tools write, what an installed hook looks like), but no two files import each other.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  repo: ['core'],
  fence: ['core', 'repo'],
  git: ['core', 'repo'],
  shell: ['core'],
  store: ['core', 'repo', 'fence'],
  forecast: ['core', 'repo', 'store'],
  contents: ['core', 'repo'],
  config: ['core', 'repo'],
  workspace: ['core', 'repo', 'store', 'config', 'install'],
  claude: [
    'core',
    'repo',
    'shell',
    'git',
    'fence',
    'contents',
    'store',
    'config',
    'workspace',
    'install',
    'settings',
    'worktrees',
  ],
  settings: ['core', 'claude', 'install'],
  locks: ['core', 'repo', 'store', 'workspace'],
  worktrees: ['core', 'repo', 'git', 'store', 'install', 'workspace'],
  operations: [
    'core',
    'repo',
    'fence',
    'forecast',
    'store',
    'config',
    'install',
    'settings',
    'workspace',
    'locks',
    'harness',
  ],
  harness: ['core', 'repo', 'store', 'config', 'workspace', 'install', 'locks', 'worktrees'],
  mcp: ['core', 'workspace', 'locks', 'operations'],
  history: ['core', 'store'],
  http: ['core', 'repo', 'store', 'contents', 'history', 'workspace', 'locks', 'operations'],
  page: ['core', 'history'],
  warm: ['core', 'repo', 'store', 'config', 'workspace', 'claude', 'http'],
  install: ['core', 'repo', 'fence', 'forecast', 'contents', 'store', 'config', 'claude', 'settings', 'warm'],
  replay: ['core', 'repo', 'claude'],
  simulate: ['core', 'repo', 'git', 'shell', 'store', 'claude', 'install'],
  standalone: ['core', 'repo', 'install', 'cli'],
  cli: [
    'core',
    'repo',
    'git',
    'forecast',
    'contents',
    'store',
    'config',
    'workspace',
    'claude',
    'locks',
    'worktrees',
    'operations',
    'harness',
    'mcp',
    'history',
    'http',
    'warm',
    'install',
    'replay',
    'simulate',
  ],
};

const folderOf = (path: string): string => path.split('/')[1] ?? '';
const SOURCES = filesIn('src', /\.tsx?$/);
const IMPORTS = SOURCES.flatMap(importsOf);

describe('the folders of src/', () => {
  test('every folder has its place in the table', () => {
    expect([...new Set(SOURCES.map(folderOf))].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  });

  test('the table of docs/architecture.md is this one', () => {
    const rows = textOf('docs/architecture.md').matchAll(/^\| `(?!src\/)(\w+)\/` \|.*\| ([^|]+) \|$/gm);
    const said = [...rows].map(([, folder = '', list = '']) => [folder, list.split(', ')] as const);
    const meant = Object.entries(MAY_IMPORT).map(
      ([folder, list]) => [folder, list.length === 0 ? ['nothing'] : list] as const,
    );
    expect(said).toEqual(meant);
  });

  test('no row allows what nobody imports', () => {
    const used = new Set(IMPORTS.map(({ from, to }) => `${folderOf(from)} -> ${folderOf(to)}`));
    const rows = Object.entries(MAY_IMPORT).flatMap(([from, list]) => list.map((to) => `${from} -> ${to}`));
    expect(rows.filter((row) => !used.has(row))).toEqual([]);
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

  test('nobody outside of store/ imports an engine, or what chooses one', () => {
    const inside = /^src\/store\/(?:embedded|postgres|blocking|open-shared\.ts|shared-engines\.ts)/;
    const wrong = IMPORTS.filter(({ from, to }) => inside.test(to) && !from.startsWith('src/store/'));
    expect(wrong).toEqual([]);
  });

  test('in store/, an engine is opened in one file, and no other but fleet.ts loads the one that machines share', () => {
    const isOutside = (from: string, engine: string): boolean => !from.startsWith(`src/store/${engine}/`);
    const opens = /^src\/store\/(?:(embedded)\/open|open-(shared))\.ts$/;
    const openers = IMPORTS.filter(({ to }) => opens.test(to)).filter(({ from }) =>
      isOutside(from, 'embedded'),
    );
    expect([...new Set(openers.map(({ from }) => from))]).toEqual(['src/store/open.ts']);
    const loads = IMPORTS.filter(({ to, is_type }) => to.startsWith('src/store/postgres/') && !is_type);
    const loaders = loads.filter(({ from }) => isOutside(from, 'postgres'));
    expect(loaders.map(({ from, to }) => `${from} -> ${to}`)).toEqual([
      'src/store/fleet.ts -> src/store/postgres/fleet.ts',
    ]);
  });

  test('whether a repository shares its ledger is decided in one file', () => {
    const deciders = IMPORTS.filter(({ to, is_type }) => to === 'src/workspace/shared-ledger.ts' && !is_type);
    expect(deciders.map(({ from }) => from)).toEqual(['src/workspace/ledger-here.ts']);
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
      'src/page/main.tsx',
      'src/standalone/main.ts',
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
