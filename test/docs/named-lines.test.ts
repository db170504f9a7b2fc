/** Every command line that the README and the documents name in running text is run, here or by the test that the table names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PACKAGE, type Scratch, working } from '../claude/driver.ts';
import { shownLines } from './command-blocks.ts';
import { isRun } from './line-table.ts';
import { namedLines } from './named-lines.ts';
import { NAMED_ELSEWHERE, NAMED_EXITS, NAMED_LAST, NAMED_MEANT } from './named-table.ts';
import { inBash, inProcess, type Place, prepared } from './place.ts';

/** documents.test.ts runs those that a block shows, too. */
const inBlocks = new Set(shownLines.filter(isRun).map(({ line }) => line));
const rank = (line: string): number => NAMED_LAST.findIndex((begin) => line.startsWith(begin));
const all: readonly string[] = [...new Set(namedLines.map(({ line }) => line))];
const runHere = all
  .filter((line) => !inBlocks.has(line) && !NAMED_ELSEWHERE.some(([of]) => of.test(line)))
  .sort((a, b) => rank(a) - rank(b));

/** Words of commands, and at most one option without its value: it may need more, which the text leaves out. */
const isName = (line: string): boolean => /^guard(?: [a-z-]+)+(?: --[a-z-]+)?$/.test(line);
const pageOf = (line: string): string => `${line.replace(/ --.*$/, '')} --help`;

type Story = Place & { readonly holder: string };

/** Another agent at work, a task, and an event to explain. */
function told(): Story {
  const { at, agent, env } = prepared();
  // Their locks would otherwise outlast their turns by 3 s, and keep a person from undoing what they wrote.
  const { agents } = at.guard('status', '--json').json() as { agents: readonly { agent: string }[] };
  for (const one of agents) expect(at.guard('leave', '--agent', one.agent).exit).toBe(0);
  const holder = working(at);
  at.put('held.ts', 'one\n');
  holder.lock('held.ts');
  at.guard('task', 'create', 'search', '--description', 'Search.');
  const file_path = at.path('src/b.ts');
  const tool = { tool_name: 'Write', tool_use_id: 't', tool_input: { file_path, content: 'x' } };
  at.put('event.json', JSON.stringify(holder.payload('PreToolUse', tool)));
  return { at, agent, env, cwd: at.root, lasting: null, holder: holder.name };
}

const newest = (at: Scratch, type: string, field: string): string =>
  at
    .log(type)
    .flatMap((record) => record[field])
    .findLast((value) => typeof value === 'string') ?? '';

const typedFor = (line: string, { at, holder }: Story): string =>
  NAMED_MEANT.reduce((text, [shown, put]) => text.replace(shown, put), line)
    .replaceAll('{holder}', holder)
    .replace('{lsn}', () => String(at.log('write')[1]?.['lsn']))
    .replace('{reservation}', () => newest(at, 'hold', 'reservations'))
    .replace('{ack}', () => newest(at, 'message', 'message'))
    .replace('{thread}', () => newest(at, 'message', 'thread'))
    .replace('{requester}', () => newest(at, 'message', 'agent'));

it('each is run here, by a named test, or by the test of the blocks', () => {
  expect(runHere.length).toBeGreaterThan(80);
  const unused = [...NAMED_ELSEWHERE, ...NAMED_EXITS].filter(([of]) => !all.some((line) => of.test(line)));
  expect(unused).toEqual([]);
  for (const [, test, contains] of NAMED_ELSEWHERE)
    expect(readFileSync(join(PACKAGE, test), 'utf8'), test).toContain(contains);
});

it(
  'each does something, or is the name of a command that has a page of help',
  { timeout: 240_000 },
  async () => {
    const story = told();
    const wrong: object[] = [];
    for (const line of runHere) {
      const typed = typedFor(line, story);
      const ran = await (typed.includes('&&') ? inBash : inProcess)(typed, story);
      const expected = NAMED_EXITS.find(([of]) => of.test(line))?.[1] ?? 0;
      const isNamed = ran.exit === 64 && isName(line) && (await inProcess(pageOf(line), story)).exit === 0;
      if (ran.exit !== expected && !isNamed) wrong.push({ line, typed, ...ran });
    }
    expect(wrong).toEqual([]);
  },
);
