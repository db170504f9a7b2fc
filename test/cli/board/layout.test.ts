/** The board at every width and size; the captures are in captures/ and in the documents. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createColors } from 'picocolors';
import { describe, expect, it } from 'vitest';
import { boardOf } from '../../../src/cli/board/board.ts';
import { boardLines } from '../../../src/cli/board/layout.ts';
import { screenLines } from '../../../src/cli/board/screen.ts';
import { AT_FIRST } from '../../../src/cli/board/screen-state.ts';
import { cellWidth } from '../../../src/cli/view/cell.ts';
import type { Status } from '../../../src/operations/status.ts';
import { PACKAGE, text } from '../../install/scratch.ts';
import { BUSY, crowd, NOW_MS, QUIET } from './told.ts';

const NOTE = 'Asked. Press r again to take back 1 file of ann.';
const PLAIN = createColors(false);
const screen = (told: Status, columns: number, rows = 24): readonly string[] =>
  screenLines(boardOf(told, NOW_MS, true), { columns, rows }, AT_FIRST, PLAIN);
const capture = (name: string): string => join(import.meta.dirname, 'captures', `${name}.txt`);
const SIZES: readonly (readonly [string, Status])[] = [
  ['nobody', QUIET],
  ['busy', BUSY],
  ['10-locks', crowd(3, 10)],
  ['1000-locks', crowd(100, 1_000)],
];

describe('guard status --watch', () => {
  it.each(SIZES.flatMap(([name, told]) => [60, 80, 100, 200].map((columns) => ({ name, told, columns }))))(
    '$name at $columns columns is the capture',
    async ({ name, told, columns }) => {
      const lines = screen(told, columns, name === 'busy' ? 40 : 24);
      await expect(`${lines.map((line) => line.trimEnd()).join('\n')}\n`).toMatchFileSnapshot(
        capture(`${name}-${columns}`),
      );
    },
  );

  it.each(SIZES)('fills the terminal exactly, whatever its size: %s', (_, told) => {
    for (const columns of [1, 5, 20, 60, 61, 80, 133, 200])
      for (const rows of [1, 2, 5, 24, 60]) {
        const lines = screen(told, columns, rows);
        expect(lines).toHaveLength(rows);
        expect(Math.max(...lines.map(cellWidth)), `${columns}x${rows}`).toBeLessThanOrEqual(columns);
      }
  });

  it('of 100 agents with 1,000 locks shows the worst first, and what each agent holds, at any width', () => {
    const told = crowd(100, 1_000);
    for (const columns of [60, 80, 100, 133, 200]) {
      const lines = screen(told, columns, 60);
      const first = lines.findIndex((line) => line === 'Needs attention') + 1;
      expect(lines[first], `${columns}`).toMatch(/^ {2}waits {2}47s {2}agent-9 for agent-10 .*file-10\.ts$/);
      const agents = lines.slice(lines.indexOf('Agents') + 1).filter((line) => line.startsWith('  agent-'));
      expect(agents.length, `${columns}`).toBeGreaterThan(8);
      for (const line of agents) expect(line).toMatch(/10 files? .*\d\/src/);
    }
    // A look every second must leave the processor to the agents: 3 ms here, at a load of 38.
    const begun = process.cpuUsage();
    for (let look = 0; look < 10; look++) screen(told, 100);
    expect(process.cpuUsage(begun).user / 10_000).toBeLessThan(50);
  });

  it('has no escape sequence without colours, and the same words with them', () => {
    const paint = createColors(true);
    const board = boardOf(BUSY, NOW_MS, true);
    const size = { columns: 100, rows: 40 };
    const colored = screenLines(board, size, AT_FIRST, paint).join('\n');
    expect(colored).toContain('\u001b[');
    // eslint-disable-next-line no-control-regex -- these are what is looked for
    expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(screen(BUSY, 100, 40).join('\n'));
    expect(screen(BUSY, 100, 40).join('')).not.toContain('\u001b');
  });
});

describe('guard status', () => {
  const once = (told: Status, is_folded: boolean): readonly string[] =>
    boardLines(boardOf(told, NOW_MS, is_folded), {
      width: Infinity,
      color: PLAIN,
      most: 50,
      how: ': more',
    }).map(({ text: line }) => line);

  it('is the capture in the documents', () => {
    const told = boardLines(boardOf(BUSY, NOW_MS, true), { width: 100, color: PLAIN, most: 50, how: '' });
    const shown = told.map(({ text: line }) => line).join('\n');
    const page = join(PACKAGE, 'docs/status.md');
    const block = `\n\`\`\`\n${shown}\n\`\`\`\n`;
    if (process.env['GUARD_UPDATE_DOCS'] !== undefined)
      writeFileSync(
        page,
        text(page).replace(/\n```\n[^]*?\n```\n/, () => block),
      );
    expect(text(page)).toContain(block);
  });

  it('is the capture of the screen in the documents, after a key was pressed', () => {
    const board = boardOf(BUSY, NOW_MS, true);
    const wait = board.sections[0]?.rows.find(({ id }) => id.startsWith('["long"'));
    const state = { ...AT_FIRST, selected: wait?.id ?? null, note: NOTE };
    const lines = screenLines(board, { columns: 72, rows: 20 }, state, PLAIN).map((line) => line.trimEnd());
    const page = join(PACKAGE, 'docs/status.md');
    const block = `<!-- the screen, after \`r\` -->\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n`;
    if (process.env['GUARD_UPDATE_DOCS'] !== undefined)
      writeFileSync(
        page,
        text(page).replace(/<!-- the screen, [^]*?\n```\n[^]*?```\n/, () => block),
      );
    expect(text(page)).toContain(block);
  });

  it('folds the files of a directory, names up to three, and has each where all are asked for', () => {
    expect(once(BUSY, true).filter((line) => line.includes('part-'))).toHaveLength(3);
    expect(once(BUSY, true)).toContainEqual(
      expect.stringMatching(/^ {2}12 files in packages\/cart\/src +ann/),
    );
    expect(once(BUSY, false).filter((line) => /part-\d+\.ts +ann/.test(line))).toHaveLength(12);
  });

  it('has the worst first, whatever came first', () => {
    const kinds = once(BUSY, true).flatMap(
      (line) => /^ {2}(deadlock|waits|denied|unguarded) /.exec(line)?.[1] ?? [],
    );
    expect(kinds).toEqual(['deadlock', 'waits', 'denied', 'unguarded']);
  });

  it('shows control characters in chosen names as text', () => {
    const evil = '\u001b[2Jx\u202e';
    const lines = once(
      {
        ...BUSY,
        repository: evil,
        leases: [{ ...crowd(1, 1).leases[0], path: evil } as Status['leases'][number]],
      },
      true,
    ).join('\n');
    // eslint-disable-next-line no-control-regex -- these are what is looked for
    expect(/[\u001b\u202e]/.test(lines)).toBe(false);
  });
});
