import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Argument, Call } from '../../../src/shell/call.ts';
import { readCode } from '../../../src/shell/code/read-code.ts';
import { writerFor } from '../../../src/shell/writers/index.ts';
import { startIn } from './scratch.ts';

const NAMES = [
  ...[
    'cp',
    'mv',
    'rm',
    'ln',
    'install',
    'dd',
    'touch',
    'chmod',
    'tee',
    'split',
    'csplit',
    'rename',
    'sed',
    'awk',
    'perl',
    'ruby',
  ],
  ...[
    'patch',
    'ed',
    'vim',
    'tar',
    'unzip',
    'zip',
    'gzip',
    '7z',
    'cpio',
    'ar',
    'rsync',
    'scp',
    'curl',
    'wget',
    'openssl',
    'sqlite3',
  ],
  ...[
    'ffmpeg',
    'gcc',
    'tsc',
    'go',
    'prettier',
    'ruff',
    'cargo',
    'npm',
    'pnpm',
    'yarn',
    'bun',
    'make',
    'just',
    'mise',
    'task',
    'uv',
  ],
  ...['python3', 'node', 'deno', 'protoc', 'rails', 'constructor', '__proto__', 'toString'],
];
const PIECES = [
  '-',
  '--',
  '-i',
  '-o',
  '-C',
  '-t',
  '--in-place',
  '--',
  '/',
  '..',
  'a=b',
  "'",
  '"',
  '$',
  '`',
  '(',
  '{',
  '\\',
  '\n',
  '*',
  'x:y',
  'run',
  'fmt',
  'w',
  's/a/b/',
  '.bak',
  '-0pi',
  'https://e.org/x',
  '<<EOF',
  'open(',
  '=>',
  '#',
  '\0',
];

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 5 }).map((it) => it.join('')),
);
const argument: fc.Arbitrary<Argument> = fc.record({
  text: fc.option(text, { freq: 8 }),
  source: text,
  is_expanded: fc.boolean(),
});
// Every file holds the same text, so that scripts and task files are fuzzed as well.
const start = (content: string | null) =>
  startIn('/r', {
    kind: (path) => (path.length % 3 === 0 ? 'directory' : path.length % 3 === 1 ? 'file' : null),
    list: (dir) => (dir.length < 12 ? ['a', 'bb'] : []),
    text: () => content,
  });

test('no arguments make a table throw, and what it says is absolute', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(
      ...([
        fc.constantFrom(...NAMES),
        fc.array(argument, { maxLength: 7 }),
        fc.option(text),
        fc.option(text),
        fc.boolean(),
      ] as const),
      (name, args, stdin, content, has_cwd) => {
        const call: Call = {
          name,
          args,
          cwd: has_cwd ? '/r' : null,
          variables: new Map(),
          stdin,
          is_piped: !has_cwd,
          source: name,
          start: start(content),
        };
        const said = writerFor(name)?.(call) ?? {};
        for (const { path } of said.targets ?? []) expect(path).toMatch(/^\//);
        for (const { paths } of said.scopes ?? []) for (const path of paths) expect(path).toMatch(/^\//);
      },
    ),
    { numRuns: 4_000 },
  );
});

test('no text makes the scan of code throw', { timeout: 120_000 }, () => {
  const words = [
    'open(',
    '"a"',
    "'w'",
    ')',
    '(',
    '[',
    ']',
    '{',
    '}',
    '\n',
    '  ',
    'for ',
    ' in ',
    'def f',
    ':',
    '=',
    '=>',
    ',',
    '.',
    'fs.writeFileSync',
    'Path',
    '/',
    '+',
    '`${x}`',
    'my $f',
    'qw(',
    'q{',
    '<<~EOF',
    '%w[',
    '|x|',
    ' do ',
    'each',
    'import ',
    'from ',
    '"""',
    '#',
    '//',
    '/*',
    'const ',
    'require("fs")',
    's/',
    'shift',
    '->',
    '\\',
  ];
  const code = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((it) => it.join('')),
  );
  fc.assert(
    fc.property(fc.constantFrom('python', 'node', 'ruby', 'perl'), code, (language, source) => {
      const call: Call = {
        name: language,
        args: [],
        cwd: '/r',
        variables: new Map(),
        stdin: null,
        is_piped: false,
        source: language,
        start: start(null),
      };
      const said = readCode({ kind: 'code', language, text: source, args: [] }, call);
      for (const { path, found } of said.targets ?? [])
        expect([path.startsWith('/'), found]).toEqual([true, 'scanned']);
    }),
    { numRuns: 4_000 },
  );
});

test('a long program is read in time, or given up', { timeout: 60_000 }, () => {
  const call: Call = {
    name: 'python',
    args: [],
    cwd: '/r',
    variables: new Map(),
    stdin: null,
    is_piped: false,
    source: 'python',
    start: start(null),
  };
  const source = "for f in ['a', 'b']:\n    open(f, 'w').write(g(h(f)))\n".repeat(1_000);
  const began = process.cpuUsage();
  const said = readCode({ kind: 'code', language: 'python', text: source, args: [] }, call);
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(5_000);
  expect(said.targets?.map(({ path }) => path)).toEqual(['/r/a', '/r/b']);
});
