/** Checks the corpora themselves, and guard's verdicts on them. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runNow } from '../claude/driver.ts';
import { runLine } from '../claude/driver/hook-line.ts';
import { PROCESSES, type Ways } from './corpus/client.ts';
import { pathsOf } from './corpus/effects.ts';
import { Copies, foreignIn, SIDE, VARIANTS } from './corpus/fixture.ts';
import { measure } from './corpus/measured.ts';
import { corporaIn, readRows, type Row } from './corpus/rows.ts';
import { judgeAll, onStage, type Place } from './corpus/verdicts.ts';

const PACKAGE = join(import.meta.dirname, '../..');
const rows = corporaIn(join(import.meta.dirname, 'corpus')).flatMap(readRows);
const writes = rows.filter(({ kind }) => kind === 'writes');
const harmless = rows.filter(({ kind }) => kind === 'harmless');
const plain = writes.filter(({ evasive }) => !evasive);

/** How many rows are checked; for all of them: `GUARD_CORPUS_ROWS=all npx vitest run test/shell/corpus.test.ts`. */
const ASKED = process.env['GUARD_CORPUS_ROWS'] ?? '20';
/** How many commands are run again. */
const RUN = 12;
const LIMIT_MS = 1_800_000;

/** A fixed sample of `count` rows, spread evenly over all groups and corpora. */
function some(of: readonly Row[], count: number): readonly Row[] {
  const step = Math.max(1, of.length / count);
  return Array.from({ length: Math.min(count, of.length) }, (_, at) => of[Math.floor(at * step)]).filter(
    (row) => row !== undefined,
  );
}

const asked = (of: readonly Row[]): readonly Row[] =>
  ASKED === 'all' ? of : some(of, Math.ceil(Number(ASKED) / 2));

const told = (of: readonly Row[]): readonly string[] => of.map(({ id, command }) => `${id}: ${command}`);

describe('the corpora', () => {
  test('have at least 300 writing commands and 300 harmless ones, or one of several authors is missing', () => {
    const authors = corporaIn(join(import.meta.dirname, 'corpus')).length;
    expect(writes.length).toBeGreaterThanOrEqual(authors > 1 ? 300 : 170);
    expect(harmless.length).toBeGreaterThanOrEqual(authors > 1 ? 300 : 170);
  });

  test('name each row once', () => {
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });

  test('hold a command once in a state', () => {
    const said = rows.map(({ command, variant, cwd, held, own }) =>
      JSON.stringify([command, variant, cwd, held, own]),
    );
    expect(said.filter((row, at) => said.indexOf(row) !== at)).toEqual([]);
  });

  test('say of each writing command that it changed a file that is held', () => {
    expect(
      told(
        writes.filter(
          ({ changes, held, ran }) => !ran || !pathsOf(changes).some((path) => held.includes(path)),
        ),
      ),
    ).toEqual([]);
  });

  test('say of no harmless command that it changed what is held or is not its own', () => {
    const touches = ({ changes, held, own, variant }: Row): boolean =>
      pathsOf(changes).some((path) => !own.includes(path) && [...held, ...foreignIn(variant)].includes(path));
    expect(told(harmless.filter(touches))).toEqual([]);
  });

  test('have their states, subagents, directories and shapes', () => {
    const shares = (matches: (row: Row) => boolean): number => rows.filter(matches).length / rows.length;
    for (const variant of VARIANTS) expect(shares((row) => row.variant === variant)).toBeGreaterThan(0.02);
    expect(shares(({ as }) => as === 'subagent')).toBeGreaterThan(0.05);
    expect(shares(({ cwd }) => cwd !== '.')).toBeGreaterThan(0.05);
    expect(shares(({ cwd }) => cwd.startsWith(SIDE))).toBeGreaterThan(0.02);
    expect(shares(({ command }) => /&&|\|\||[;\n]/.test(command))).toBeGreaterThan(0.5);
    expect(shares(({ command }) => command.includes('2>&1'))).toBeGreaterThan(0.3);
    expect(shares(({ command }) => /\|\s*(?:head|tail)\b/.test(command))).toBeGreaterThan(0.2);
    expect(shares(({ command }) => command.includes('<<'))).toBeGreaterThan(0.04);
    expect(writes.filter(({ evasive }) => evasive).length).toBeLessThanOrEqual(writes.length / 10);
  });
});

const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'shell-corpus-')));
const copies = new Copies(base, join(PACKAGE, 'node_modules'));
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

const WARM: Ways = { line: runLine, node: (args, around) => runNow({ ...around, args }) };
const place: Place = { guard: PACKAGE, copies, ways: WARM };

// The rows were measured with GNU tools.
describe.runIf(process.platform === 'linux')('run again, in a fresh repository', () => {
  test.each(some(rows, RUN).filter(({ ran }) => ran))(
    '$id changes what it is said to change',
    async (row) => {
      const { changes, wrong } = await measure(row, copies);
      expect({ changes, wrong }).toEqual({ changes: row.changes, wrong: '' });
    },
  );
});

describe('the repository in which commands are judged', () => {
  test.each(VARIANTS)('%s: another agent has what it should have, and nothing else', (variant) => {
    const held = variant === 'worktree' ? `${SIDE}/src/parser.js` : 'packages/api/src/routes.js';
    const ways = variant === 'clean' ? PROCESSES : WARM;
    const [taken, free] = onStage({ variant, own: [] }, { ...place, ways }, (stage) => {
      stage.hold(['src/app.js', 'src/not-yet.js']);
      stage.hold([held]);
      return [stage.edit(held).text, stage.edit('src/app.js').text];
    });
    expect(taken).toContain('LOCKED_BY_OTHER');
    expect(free).not.toContain('LOCKED_BY_OTHER');
  });
});

describe('what another agent has locked', () => {
  test(
    'is not in the way of a harmless command',
    () => {
      const denied = judgeAll(asked(harmless), place).filter((verdict) => verdict.denied);
      expect(told(denied.map(({ row }) => row))).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'is kept from 95 of 100 writing commands that do not hide what they write',
    () => {
      const verdicts = judgeAll(asked(plain), place);
      const passed = verdicts.filter(({ denied }) => !denied).map(({ row }) => row);
      expect(passed.length / verdicts.length, told(passed).join('\n')).toBeLessThanOrEqual(0.05);
    },
    LIMIT_MS,
  );
});
