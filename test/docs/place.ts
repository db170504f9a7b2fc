/** The repository in which the command lines of the documents are run, and how. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runProgram } from '../../src/cli/program.ts';
import { GUARD, oneAgent, PACKAGE, type Scratch, working } from '../claude/driver.ts';
import { runLater, type Running } from '../claude/driver/process.ts';
import { SILENT_SHELL } from '../cli/silent-shell.ts';
import { wordsIn } from '../cli/declared.ts';
import { examples } from './json.ts';

/** A repository with work of an agent in it, and everything that the examples name. */
export function prepared() {
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

export interface Place {
  readonly at: Scratch;
  /** It wrote one file. */
  readonly agent: string;
  readonly env: Readonly<Record<string, string>>;
  /** A block may change it for the lines after it. */
  cwd: string;
  lasting: Running | null;
}

export interface Ran {
  readonly exit: number | null;
  readonly said: string;
}

/** Without a process of its own, with output to a file if the line says so. */
export async function inProcess(line: string, { env, cwd }: Place): Promise<Ran> {
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

export async function inBash(line: string, place: Place): Promise<Ran> {
  const after = join(place.at.home, 'cwd');
  const args = ['-c', `set -e\n${line}\npwd > "${after}"`];
  const done = await runLater({ program: '/bin/bash', args, cwd: place.cwd, env: place.env }).done;
  if (done.exit === 0) place.cwd = readFileSync(after, 'utf8').trim();
  return { exit: done.exit, said: `${done.stdout}${done.stderr}` };
}
