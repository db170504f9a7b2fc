/** A session whose hooks a server answers until it is killed sees, does and records the same as a session without a server. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect } from 'vitest';

import { failedHooks, guarded, logOf, saidByHooks } from './client/guarded.ts';
import { bash, edit, read, say, type Turn } from './client/scenario.ts';
import type { Scratch } from './client/scratch.ts';
import { situation, type Stage } from './client/stage.ts';
import { until } from './client/until.ts';

const FILES = { 'a.txt': 'one\ntwo\n', 'b.txt': 'one\ntwo\n', 'c.txt': 'one\ntwo\n' };
/** Parts of answers and records that differ between any two sessions. */
const CHANCE =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d{2,}\b|\b[0-9a-f]{12,}\b/g;

/** The time since an agent was last active. */
const SILENCE = /; (?:at work|silent for [^,]*, yields in [^.]*)\./g;

/** Lists what starts Node by name: each hook that no server answers, and each server. */
function listed(scratch: Scratch): () => readonly string[] {
  const file = join(scratch.root, 'nodes');
  const program = join(scratch.root, 'bin/node');
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, `#!/bin/sh\necho "$*" >> '${file}'\nexec '${process.execPath}' "$@"\n`, {
    mode: 0o755,
  });
  return () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
}

/** The pid of the server that listens. */
function serverOf(scratch: Scratch): number | null {
  const dir = scratch.path('.git/guard/warm');
  const name = existsSync(dir) ? readdirSync(dir).find((one) => one.endsWith('.pid')) : undefined;
  const pid = name === undefined ? 0 : Number(readFileSync(join(dir, name), 'utf8'));
  return pid > 1 && existsSync(`/proc/${pid}`) ? pid : null;
}

interface Moments {
  readonly before: () => Promise<void>;
  readonly between: () => Promise<void>;
  readonly after: () => Promise<void>;
}

/** Includes a write to a file that another agent holds. */
function script(scratch: Scratch, { before, between, after }: Moments): readonly Turn[] {
  const [a, b, c] = ['a.txt', 'b.txt', 'c.txt'].map((name) => scratch.path(name)) as [string, string, string];
  const then = (moment: () => Promise<void>, answer: ReturnType<typeof edit>) => async () => {
    await moment();
    return answer;
  };
  return [
    read(a),
    then(before, edit(a, 'one', 'ONE')),
    bash('ls'),
    edit(c, 'one', 'ONE'),
    then(between, edit(a, 'two', 'TWO')),
    read(b),
    edit(b, 'one', 'ONE'),
    then(after, edit(b, 'two', 'TWO')),
    bash('cat a.txt b.txt'),
    say('Done.'),
  ];
}

async function played(stage: Stage, scratch: Scratch, moments: Moments) {
  scratch.guard('lock', 'try', 'c.txt', '--agent', 'somebody');
  const scenario = { main: script(scratch, moments) };
  const { run, api } = await stage.play(scratch, scenario, { prompt: '[[main]] Change a and b.' });
  const plain = (text: string): string =>
    text.replaceAll(scratch.root, '<root>').replace(SILENCE, '').replace(CHANCE, '<n>');
  expect(failedHooks(run)).toEqual([]);
  return {
    results: api.results('main').map(({ is_error, text }) => [is_error, plain(text)]),
    said: saidByHooks(run).map(plain),
    files: Object.keys(FILES).map((name) => scratch.read(name)),
    records: logOf(scratch).map(({ type, agent }) => `${type} ${plain(agent)}`),
  };
}

situation('hooks that a server answers, until it is killed in mid-session', async ({ stage }) => {
  const nothing = (): Promise<void> => Promise.resolve();
  const plain = guarded(stage, FILES, { preset: 'auto' });
  const cold = await played(stage, plain, {
    before: nothing,
    between: nothing,
    after: nothing,
  });

  const scratch = guarded(stage, FILES, { preset: 'auto', warm: true });
  const nodes = listed(scratch);
  const served = (): Promise<void> => until('a server listens', () => serverOf(scratch) !== null);
  const commands: number[] = [];
  const count = (): void =>
    void commands.push(nodes().filter((line) => !line.includes('serve-hooks')).length);
  const killed: number[] = [];
  const warm = await played(stage, scratch, {
    before: () => served().then(count),
    between: () => {
      count();
      const pid = serverOf(scratch);
      if (pid === null) throw new Error('no server to kill');
      process.kill(pid, 'SIGKILL');
      killed.push(pid);
      return nothing();
    },
    after: () => served().then(count),
  });

  expect(warm).toEqual(cold);
  expect(killed).toHaveLength(1);
  expect(serverOf(scratch)).not.toBe(killed[0]);
  const [begun = 0, before_death = 0] = commands;
  // Three tool calls, each with several hooks. On a busy machine some of them may be commands.
  expect(before_death - begun).toBeLessThan(6);
  expect(nodes().filter((line) => line.includes('serve-hooks')).length).toBeGreaterThanOrEqual(2);
});
