/**
 * Reading any line terminates, throws nothing and always gives the same answer. GUARD_FUZZ_RUNS sets the number of runs
 * (300 by default), GUARD_FUZZ_SEED the seed.
 */
import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Effects } from '../../src/shell/effects.ts';
import { readLine } from '../../src/shell/read-line.ts';
import { startIn } from './disk.ts';
import { LINES } from './lines.ts';

const RUNS = Number(process.env['GUARD_FUZZ_RUNS'] ?? 300);
const SEED = process.env['GUARD_FUZZ_SEED'];
const OPTIONS = { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) };

const FILES = {
  '/repo/.git/HEAD': '',
  '/repo/a.ts': '',
  '/repo/b c.ts': '',
  '/repo/sub/d.ts': '',
  '/repo/x.sh': '. x.sh; ./x.sh',
};

/** A hook's deadline is 5 s, on machines faster than the one that runs the tests. */
const MOST_MS = 4_000;

function read(line: string): Effects {
  const started = performance.now();
  const effects = readLine(line, startIn(FILES));
  expect(performance.now() - started).toBeLessThan(MOST_MS);
  for (const { path } of effects.targets) expect(path).toBe(posix.resolve(path));
  expect(effects.targets.length).toBeLessThanOrEqual(512);
  return effects;
}

const TOKENS = [
  ...[
    'a.ts',
    'sub',
    '*.ts',
    '**/*',
    '{a,b}',
    '{1..999}',
    '{',
    '}',
    '[',
    ']',
    '~',
    '~/x',
    '-',
    '--',
    '-c',
    '-i',
    '-exec',
    '{}',
    '+',
    '\\;',
  ],
  ...[
    '$x',
    '${x:-a}',
    '${x%.*}',
    '${x//a/b}',
    '${',
    '$(',
    ')',
    '$((',
    '))',
    '`',
    '"',
    "'",
    "$'",
    '\\',
    '\n',
    ' ',
    ' ',
    ' ',
    '$@',
    '"$@"',
  ],
  ...[
    '>',
    '>>',
    '2>&1',
    '>&',
    '&>',
    '<',
    '<<EOF\n',
    '\nEOF\n',
    "<<'E'\n",
    '\nE\n',
    '<<<',
    '<(',
    '>(',
    '|',
    '|&',
    '&&',
    '||',
    ';',
    '&',
    ';;',
    '!',
  ],
  ...[
    'for x in',
    'for',
    'in',
    'do',
    'done',
    'while',
    'until',
    'if',
    'then',
    'elif',
    'else',
    'fi',
    'case',
    'esac',
    'select',
    'function',
    'f()',
    'f',
    '()',
    '(',
    '[[',
    ']]',
    '((',
    'coproc',
    'time',
  ],
  ...[
    'cd',
    'pushd',
    'popd',
    'x=a',
    'x+=b',
    'x=(a b)',
    'export',
    'local',
    'read',
    'set',
    'shift',
    'unset',
    'eval',
    'source',
    '.',
    'exec',
    'exit',
    'return',
    'trap',
    'shopt -s globstar',
    'mapfile',
  ],
  ...[
    'sudo',
    'env',
    'xargs',
    'find',
    'bash',
    'sh',
    'timeout 5',
    'npx',
    'parallel',
    ':::',
    'tee',
    'rm',
    'sed',
    'cp',
    'mv',
    'git',
    'cat',
    'echo',
    'printf',
    'python3',
    'node',
    'make',
    'npm run',
    'tar',
    'dd of=a',
  ],
];

const shellish = fc.array(fc.constantFrom(...TOKENS), { maxLength: 40 }).map((tokens) => tokens.join(' '));
const dense = fc.array(fc.constantFrom(...TOKENS), { maxLength: 40 }).map((tokens) => tokens.join(''));

const mutated = fc
  .tuple(
    fc.constantFrom(...LINES),
    fc.nat(),
    fc.nat(12),
    fc.oneof(fc.constantFrom(...TOKENS), fc.string({ maxLength: 4 })),
  )
  .map(([line, at, length, by]) => {
    const from = at % (line.length + 1);
    return line.slice(0, from) + by + line.slice(from + length);
  });

describe('any line is read to its end', () => {
  it.each([
    ['words of a shell', shellish],
    ['words of a shell without spaces', dense],
    ['lines of the tables, changed in one place', mutated],
    ['any text', fc.string({ unit: 'binary', maxLength: 200 })],
  ])('%s', { timeout: 120_000 }, (_, lines) => {
    fc.assert(
      fc.property(lines, (line) => {
        expect(read(line)).toEqual(read(line));
      }),
      OPTIONS,
    );
  });
});
