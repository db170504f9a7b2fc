/** Every command line in a block of the README and the documents is run in a repository that `guard init` prepared. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { GUARD, oneAgent, PACKAGE, type Scratch, working } from '../claude/driver.ts';
import { runLater, type Running } from '../claude/driver/process.ts';
import { SILENT_SHELL } from '../cli/silent-shell.ts';
import { wordsIn } from '../cli/declared.ts';
import { until } from '../warm/stage.ts';
import { type ShownLine, shownLines } from './command-blocks.ts';
import { examples } from './json.ts';
import { ELSEWHERE, EXITS, LASTING, MEANT, NOT_RUN } from './line-table.ts';

const isRun = ({ line }: ShownLine): boolean => ![...ELSEWHERE, ...NOT_RUN].some(([not]) => not.test(line));

/** A repository with work of an agent in it, and everything that the examples name. */
function prepared() {
  const many = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');
  const { at, agent } = oneAgent({
    files: { 'src/a.ts': many, 'src/b.ts': 'one\n', 'guard.config.json': '{}' },
  });
  writeFileSync(join(at.home, '.gitconfig'), '[user]\nname = a\nemail = a@example.org\n');
  at.git('add', 'src');
  at.git('commit', '-qm', 'begin');
  agent.read('src/a.ts');
  agent.lock('src/a.ts');
  for (const line of [2, 16]) agent.edit('src/a.ts', `line ${line}\n`, 'changed\n');
  agent.stop();
  const other = working(at);
  other.lock('src/c.ts');
  other.write('src/c.ts', 'one\n');
  other.stop();
  at.git('commit', '-qam', 'changed');
  at.put('src/b.ts', 'two\n');
  const transcripts = join(PACKAGE, 'test/fixtures/transcripts/two-sessions');
  const project = join(at.home, '.claude/projects', at.root.replaceAll(/[^a-zA-Z0-9]/g, '-'));
  for (const name of readdirSync(transcripts)) {
    const text = readFileSync(join(transcripts, name), 'utf8').replaceAll('/repo', at.root);
    for (const to of [project, 'logs/some']) at.put(join(to, name), text);
  }
  // The start of a session: each event costs a process.
  const recording = readFileSync(join(PACKAGE, 'test/replay/sessions/same-mtime-change.jsonl'), 'utf8');
  for (const to of ['sessions/start.jsonl', 'stale.jsonl'])
    at.put(to, `${recording.split('\n').slice(0, 2).join('\n')}\n`);
  const waits = examples.filter(({ page, text }) => page === 'docs/recipes.md' && text.startsWith('{"type"'));
  at.put('waits.jsonl', waits.map(({ text }) => `${text}\n`).join(''));
  mkdirSync(join(at.home, 'bin'));
  mkdirSync(join(at.home, '.config/fish/completions'), { recursive: true });
  writeFileSync(join(at.home, 'bin/guard'), `#!/bin/sh\nexec "${process.execPath}" "${GUARD}" "$@"\n`, {
    mode: 0o755,
  });
  const env = { ...at.env, PATH: `${join(at.home, 'bin')}:${at.env['PATH'] ?? ''}` };
  return { at, env, agent: other.name };
}

interface Place {
  readonly at: Scratch;
  /** It wrote one file. */
  readonly agent: string;
  readonly env: Readonly<Record<string, string>>;
  /** A block may change it for the lines after it. */
  cwd: string;
  lasting: Running | null;
}

interface Ran {
  readonly exit: number | null;
  readonly said: string;
}

/** Without a process of its own, with output to a file if the line says so. */
async function inProcess(line: string, { env, cwd }: Place): Promise<Ran> {
  const [, command = '', file] = /^(.*?)(?: > (\S+))?$/.exec(line) ?? [];
  let [out, said] = ['', ''];
  const shell = {
    ...{ ...SILENT_SHELL, cwd, env, isInteractive: true },
    out: (text: string) => void (out += text),
    json: (value: unknown) => void (out += JSON.stringify(value)),
    err: (text: string) => void (said += text),
  };
  const words = wordsIn(command).map((word) => word.replace(/^~/, env['HOME'] ?? ''));
  const exit = await runProgram(words.slice(1), shell, '0');
  if (file !== undefined) writeFileSync(resolve(cwd, file.replace(/^~/, env['HOME'] ?? '')), out);
  return { exit, said: `${out}${said}` };
}

async function inBash(line: string, place: Place): Promise<Ran> {
  const after = join(place.at.home, 'cwd');
  const args = ['-c', `set -e\n${line}\npwd > "${after}"`];
  const done = await runLater({ program: '/bin/bash', args, cwd: place.cwd, env: place.env }).done;
  if (done.exit === 0) place.cwd = readFileSync(after, 'utf8').trim();
  return { exit: done.exit, said: `${done.stdout}${done.stderr}` };
}

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
