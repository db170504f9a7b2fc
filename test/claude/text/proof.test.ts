import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { lookAtDisk } from '../../../src/claude/commands/look.ts';
import { parseInput } from '../../../src/claude/input.ts';
import { proofsOf } from '../../../src/claude/text/proof.ts';
import { outputShown } from '../../../src/claude/text/shell-output.ts';
import { namedFiles } from '../../../src/shell/named-files.ts';
import { runAsClient } from '../commands/client-output.ts';
import { type Case, CASES, FILES } from './proof.cases.ts';

let root = '';

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'guard-proof-'));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'all');
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

interface Found {
  readonly whole: readonly string[];
  readonly part: readonly string[];
}

/** What the line shows of the files it names, according to guard. */
function found(line: string): Found {
  const { event, ...rest } = runAsClient(line, root);
  const fields = { hook_event_name: event, session_id: 's', cwd: root, tool_name: 'Bash', tool_use_id: 't' };
  const input = parseInput(JSON.stringify({ ...fields, tool_input: { command: line }, ...rest }), root, {});
  if (input === null) throw new Error('no event');
  const shown = outputShown(input);
  const files = namedFiles(line, root, lookAtDisk()).map((name) => ({ name, bytes: readFileSync(name) }));
  const proofs = proofsOf(files, shown).map((proof, nth) => ({
    name: relative(root, files[nth]?.name ?? ''),
    proof,
  }));
  const names = (whole: boolean): string[] =>
    proofs.flatMap(({ name, proof }) => (proof?.whole === whole ? [name] : []));
  return { whole: names(true), part: names(false) };
}

const wrongs = (cases: readonly Case[]): readonly unknown[] =>
  cases
    .map(({ line, whole = [], part = [] }) => ({ line, wanted: { whole, part }, got: found(line) }))
    .filter(({ wanted, got }) => JSON.stringify(sorted(wanted)) !== JSON.stringify(sorted(got)));

const sorted = ({ whole, part }: Found): Found => ({ whole: [...whole].sort(), part: [...part].sort() });

describe('commands that were run', () => {
  it.each(CASES.WHOLE)('$line shows all of it', ({ line, whole = [] }) => {
    expect([...found(line).whole].sort()).toEqual([...whole].sort());
  });

  it.each(CASES.PART)('$line shows a part of it', ({ line, part = [] }) => {
    expect(found(line)).toEqual({ whole: [], part });
  });

  test('others, which name files and do not show them, prove nothing', () => {
    expect(wrongs(CASES.NOTHING)).toEqual([]);
  });

  test('some that show all of it are not recognised', () => {
    expect(wrongs(CASES.MISSED)).toEqual([]);
  });
});

describe('what the client kept to itself', () => {
  const shownOf = (fields: object): readonly string[] => {
    const input = parseInput(JSON.stringify({ hook_event_name: 'PostToolUse', ...fields }), '/', {});
    return input === null ? [] : outputShown(input);
  };
  const stdout = 'one\ntwo\n'.repeat(400);

  it.each([
    ['an image', { tool_response: { stdout, isImage: true } }],
    ['a command that runs on', { tool_response: { stdout, backgroundTaskId: 'b1' } }],
    ['a call that a person stopped', { tool_response: { stdout, interrupted: true } }],
    ['no output', { tool_response: { stdout: '' } }],
    ['no response', {}],
    ['an error without output', { hook_event_name: 'PostToolUseFailure', error: 'Exit code 1' }],
    ['another error', { hook_event_name: 'PostToolUseFailure', error: 'The user does not want this' }],
  ])('%s shows nothing', (_what, fields) => {
    expect(shownOf(fields)).toEqual([]);
  });

  it('of an output that it put into a file, the whole lines of the preview', () => {
    const [text = '', ...more] = shownOf({ tool_response: { stdout, persistedOutputPath: '/tmp/x' } });
    expect(more).toEqual([]);
    expect(stdout.startsWith(`${text}\n`)).toBe(true);
    expect(text.length).toBeLessThan(1_900);
  });

  it('of a long error, what stands before the cut and behind it', () => {
    const error = `Exit code 1\n${'a'.repeat(5_000)}\n\n... [900 characters truncated] ...\n\n${'b'.repeat(5_000)}`;
    expect(shownOf({ hook_event_name: 'PostToolUseFailure', error })).toEqual([
      'a'.repeat(5_000),
      'b'.repeat(5_000),
    ]);
  });
});

describe('lines that were not printed', () => {
  const text = fc.array(fc.string({ minLength: 0, maxLength: 12 }), { minLength: 1, maxLength: 12 });
  const bytesOf = (lines: readonly string[]): Buffer => Buffer.from(lines.join('\n'));

  test('are never taken for shown, whatever else was', () => {
    fc.assert(
      fc.property(text, text, (lines, printed) => {
        const [proof] = proofsOf([{ name: '/f', bytes: bytesOf(lines) }], [printed.join('\n')]);
        const isThere = (line: string): boolean =>
          line.trim() === '' ||
          printed
            .join('\n')
            .split('\n')
            .some((one) => one.includes(line.trimEnd()));
        const missing = lines
          .join('\n')
          .replace(/\n$/, '')
          .split('\n')
          .filter((line) => !isThere(line));
        if (proof?.whole === true) expect(missing).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('of a file that is not text prove nothing', () => {
    const files = [Buffer.from([0xff, 0xfe, 0x41]), Buffer.from('a\0b\n'), Buffer.from(' \n\n')];
    const shown = files.map((bytes) => bytes.toString('utf8'));
    expect(
      proofsOf(
        files.map((bytes) => ({ name: '/f', bytes })),
        shown,
      ),
    ).toEqual([null, null, null]);
  });

  test('of a licence in two files belong to the one that was printed', () => {
    const head = '// Licensed to whoever wants it\n// under no terms at all, and\n// without warranty\n';
    const [one, other] = [`${head}const a = 1;\nconst b = 2;\n`, `${head}const c = 3;\n`].map((it) =>
      Buffer.from(it),
    );
    const files = [one, other].map((bytes, nth) => ({ name: `/${nth}`, bytes: bytes ?? Buffer.alloc(0) }));
    expect(proofsOf(files, [String(one)])).toEqual([{ whole: true }, null]);
    expect(proofsOf(files, [head])).toEqual([null, null]);
  });

  test('a long output over 64 long files takes no time', () => {
    const bytes = Buffer.from('the same line, again and again\n'.repeat(4_000));
    const files = Array.from({ length: 64 }, (_, nth) => ({ name: `/${nth}`, bytes }));
    const started = performance.now();
    proofsOf(files, ['the same line, again and again\n'.repeat(1_000)]);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

describe('an output of which most lines look alike', () => {
  const lines = Array.from({ length: 70_000 }, (_, at) => '}'.repeat(1 + (((at * at) % 7) % 3))).join('\n');

  it('is given up before the hook is out of time, and no part of a file counts then', () => {
    const files = Array.from({ length: 60 }, (_, at) => ({
      name: `/many/${at}.txt`,
      bytes: Buffer.from(lines.slice(0, 100_000 + at)),
    }));
    const begin = performance.now();
    const proofs = proofsOf(files, [lines.slice(500, 150_000)]);
    expect(performance.now() - begin).toBeLessThan(4_000);
    expect(proofs.filter((proof) => proof !== null && !proof.whole)).toEqual([]);
  });

  it('counts as shown up to what a client shows at most', () => {
    const shownOf = (stdout: string): readonly string[] => {
      const event = { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: { command: 'cat a' } };
      const ids = { session_id: 's', cwd: root, tool_use_id: 't' };
      const text = JSON.stringify({ ...event, ...ids, tool_response: { stdout } });
      const input = parseInput(text, root, {});
      return input === null ? [] : outputShown(input);
    };
    expect(shownOf(lines.slice(0, 150_000))).toHaveLength(1);
    expect(shownOf(`${lines}${lines}`)).toEqual([]);
  });
});
