/** Every command line in a block of the README and the documents is run in a repository that `guard init` prepared. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GUARD, PACKAGE } from '../claude/driver.ts';
import { runLater } from '../claude/driver/process.ts';
import { wordsIn } from '../cli/declared.ts';
import { until } from '../warm/stage.ts';
import { type ShownLine, shownLines } from './command-blocks.ts';
import { ELSEWHERE, EXITS, isRun, LASTING, MEANT, NOT_RUN } from './line-table.ts';
import { inBash, inProcess, type Place, prepared, type Ran } from './place.ts';

/** Prints its addresses on standard error. */
const isSilent = (line: string): boolean => /^guard serve(?!.* --json)/.test(line);

/** Until it says something, or listens. */
async function started(line: string, place: Place): Promise<void> {
  const running = runLater({ args: [GUARD, ...wordsIn(line).slice(1)], cwd: place.cwd, env: place.env });
  place.lasting = running;
  const socket = join(place.at.state, 'serve.sock');
  await until(() => (isSilent(line) ? existsSync(socket) : running.told() !== ''), 60_000);
}

async function ended(place: Place): Promise<Ran> {
  place.lasting?.signal('SIGINT');
  const done = await place.lasting?.done;
  place.lasting = null;
  return { exit: done?.exit ?? 0, said: done?.stderr ?? '' };
}

const portOf = ({ lasting }: Place): string => /127\.0\.0\.1:(\d+)/.exec(lasting?.told() ?? '')?.[1] ?? '';

function meant(line: string, { at, agent }: Place, port: string): string {
  return MEANT.reduce((text, [shown, put]) => text.replace(shown, put), line)
    .replace('{port}', port)
    .replace('{agent}', agent)
    .replace('{lsn}', () => String(at.log('write')[1]?.['lsn']));
}

/** What went wrong on the page. */
async function wrongOn(lines: readonly ShownLine[], place: Place): Promise<readonly object[]> {
  const wrong: object[] = [];
  const note = (line: string, { exit, said }: Ran): void => {
    const expected = EXITS.find(([of]) => of.test(line))?.[1] ?? 0;
    if (exit !== expected) wrong.push({ line, exit, said });
  };
  for (const { line } of lines) {
    const typed = meant(line, place, portOf(place));
    if (LASTING.test(typed)) {
      if (place.lasting !== null) note('(the one before)', await ended(place));
      await started(typed, place);
    } else note(line, await (/^guard [^|&;<$]*$/.test(typed) ? inProcess : inBash)(typed, place));
  }
  if (place.lasting !== null) note(lines.at(-1)?.line ?? '', await ended(place));
  return wrong;
}

describe('the command lines in the documents', () => {
  it('are run here, or by a named test, or there is a reason', () => {
    expect(shownLines.filter(isRun).length).toBeGreaterThan(50);
    const unused = [...ELSEWHERE, ...NOT_RUN, ...EXITS].filter(
      ([of]) => !shownLines.some(({ line }) => of.test(line)),
    );
    expect(unused).toEqual([]);
    for (const [, test, contains] of ELSEWHERE)
      expect(readFileSync(join(PACKAGE, test), 'utf8'), test).toContain(contains);
  });

  it('do in a guarded repository what they are shown for', { timeout: 240_000 }, async () => {
    const { at, agent, env } = prepared();
    const wrong: Record<string, readonly object[]> = {};
    for (const page of new Set(shownLines.map(({ page }) => page))) {
      const lines = shownLines.filter((one) => one.page === page && isRun(one));
      const found = await wrongOn(lines, { at, agent, env, cwd: at.root, lasting: null });
      if (found.length > 0) wrong[page] = found;
    }
    expect(wrong).toEqual({});
  });
});
