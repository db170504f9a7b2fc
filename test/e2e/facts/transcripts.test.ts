import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';

import { makeGate } from '../client/gate.ts';
import { userSettings } from '../client/guarded.ts';
import { bash, delegate, edit, read, say, write } from '../client/scenario.ts';
import type { Scratch } from '../client/scratch.ts';
import { situationWith } from '../client/stage.ts';

/** GUARD_E2E_RECORD=1 saves this client's transcripts as the new fixtures. */
const RECORD = process.env['GUARD_E2E_RECORD'] === '1';
const FOLDER = join(import.meta.dirname, '../../fixtures/transcripts');

const LINES = 'one\ntwo\nthree\n';
const situation = situationWith('subagent_start');

/** The fields that `guard simulate` needs, of the lines that it reads. */
const KEPT = [
  ...['type', 'uuid', 'parentUuid', 'timestamp', 'sessionId', 'cwd', 'gitBranch', 'version', 'isSidechain'],
  ...['agentId', 'isMeta', 'isCompactSummary', 'promptId', 'message', 'toolUseResult', 'forkedFrom'],
];

const asOurs = (scratch: Scratch): Scratch => {
  userSettings(scratch, { permissions: { allow: ['Read', 'Edit', 'Write', 'Bash'] } });
  return scratch;
};

/** The projects folder as the client left it: the text of each transcript. */
function transcriptsOf(scratch: Scratch): ReadonlyMap<string, string> {
  const root = join(scratch.home, '.claude/projects');
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  return new Map(names.sort().map((name) => [name, readFileSync(join(root, name), 'utf8')]));
}

/** Removes where it ran and what the client tells its model about the machine. */
function anonymous(scratch: Scratch, text: string): string {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ type }) => type === 'user' || type === 'assistant')
    .map((line) =>
      JSON.stringify(Object.fromEntries(KEPT.flatMap((name) => (name in line ? [[name, line[name]]] : [])))),
    );
  const escaped = scratch.repo.replaceAll(/[^a-zA-Z0-9]/g, '-');
  return `${lines.join('\n')}\n`
    .replaceAll(scratch.repo, '/repo')
    .replaceAll(escaped, '-repo')
    .replaceAll(scratch.root, '/home/user');
}

function keep(scratch: Scratch, name: string): ReadonlyMap<string, string> {
  const found = transcriptsOf(scratch);
  if (!RECORD) return found;
  rmSync(join(FOLDER, name), { recursive: true, force: true });
  for (const [file, text] of found) {
    const to = join(FOLDER, name, ...file.split('/').slice(1));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, anonymous(scratch, text));
  }
  return found;
}

const linesOf = (texts: ReadonlyMap<string, string>): readonly Record<string, unknown>[] =>
  [...texts.values()].flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  );

situation(
  'two sessions write one file: the results in their transcripts have the text before each write',
  async ({ stage }) => {
    const scratch = asOurs(stage.scratch({ 'a.txt': LINES, 'b.txt': LINES }));
    const file = scratch.path('a.txt');
    const [first_read, second_wrote] = [makeGate(), makeGate()];
    const api = await stage.api({
      first: [
        read(file),
        async () => {
          first_read.open();
          await second_wrote.opened;
          return bash('true');
        },
        edit(file, 'one', 'ONE'),
        read(file),
        edit(file, 'one', 'ONE'),
        say('Done.'),
      ],
      second: [
        async () => {
          await first_read.opened;
          return read(file);
        },
        write(file, 'one\ntwo\nthree\nfour\n'),
        () => {
          second_wrote.open();
          return bash(`echo five >> ${scratch.path('b.txt')}`);
        },
        say('Done.'),
      ],
    });
    await Promise.all([
      stage.start(api, scratch, { prompt: '[[first]] Change it.' }).done,
      stage.start(api, scratch, { prompt: '[[second]] Change it.' }).done,
    ]);

    const lines = linesOf(keep(scratch, 'two-sessions'));
    const results = lines.map(({ toolUseResult }) => toolUseResult).filter((one) => one !== undefined);
    expect(results).toContainEqual(expect.objectContaining({ filePath: file, originalFile: LINES }));
    expect(results).toContainEqual(
      expect.objectContaining({ file: expect.objectContaining({ filePath: file, startLine: 1 }) as unknown }),
    );
  },
);

situation('a subagent has a transcript of its own, below the folder of its session', async ({ stage }) => {
  const scratch = asOurs(stage.scratch({ 'a.txt': LINES }));
  const file = scratch.path('a.txt');
  await stage.play(
    scratch,
    {
      main: [read(file), edit(file, 'one', 'ONE'), delegate('sub'), edit(file, 'ONE', 'one'), say('Done.')],
      sub: [read(file), edit(file, 'two', 'TWO'), say('Done.')],
    },
    { prompt: '[[main]] Have it changed.', mode: 'default' },
  );

  const found = keep(scratch, 'subagent');
  const own = linesOf(new Map([...found].filter(([name]) => /\/subagents\/agent-\w+\.jsonl$/.test(name))));
  expect(own.length).toBeGreaterThan(4);
  const said = own.filter(({ type }) => type === 'user' || type === 'assistant');
  expect(
    said.filter(({ isSidechain, agentId }) => isSidechain !== true || typeof agentId !== 'string'),
  ).toEqual([]);
});

situation(
  'a resumed session goes on in its file, a forked one repeats its calls in another',
  async ({ stage }) => {
    const scratch = asOurs(stage.scratch({ 'a.txt': LINES }));
    const file = scratch.path('a.txt');
    const { run } = await stage.play(
      scratch,
      { begin: [read(file), edit(file, 'one', 'ONE'), say('Done.')] },
      { prompt: '[[begin]] Change it.' },
    );
    await stage.play(
      scratch,
      { again: [edit(file, 'two', 'TWO'), say('Done.')] },
      { prompt: '[[again]] Change it.', resume: run.session },
    );
    await stage.play(
      scratch,
      { fork: [read(file), write(file, 'rewritten\n'), say('Done.')] },
      { prompt: '[[fork]] Rewrite it.', resume: run.session, args: ['--fork-session'] },
    );

    const found = keep(scratch, 'resumed');
    expect(found.size).toBe(2);
    const calls = linesOf(found).flatMap(({ message }) => {
      const { content } = (message ?? {}) as { content?: unknown };
      return Array.isArray(content)
        ? (content as { type: string; id?: string }[]).filter(({ type }) => type === 'tool_use')
        : [];
    });
    expect(new Set(calls.map(({ id }) => id)).size).toBeLessThan(calls.length);
  },
);
