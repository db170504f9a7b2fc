/** The text that guard may add to one session, in characters. */
import { expect } from 'vitest';

import { makeGate } from './client/gate.ts';
import { failedHooks, guarded, saidByHooks } from './client/guarded.ts';
import { type Agent, naive, obedient } from './client/obedient.ts';
import type { ClientRun } from './client/run.ts';
import { write } from './client/scenario.ts';
import { situationWith } from './client/stage.ts';
import { replace } from './client/steps.ts';

/** For an agent that locks first, as it is told at its start. */
const INFORMED = 800;
/** For an agent that starts writing without asking. */
const NAIVE = 3_000;

const NAMES = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8'].map((name) => `src/${name}.txt`);
const FILES = Object.fromEntries(NAMES.map((name) => [name, 'one\ntwo\n']));
const OWN = NAMES.slice(0, 6);

const saidTo = (run: ClientRun, { book }: Agent): readonly string[] => [
  ...saidByHooks(run),
  ...book.lock_answers,
];
const lengthOf = (texts: readonly string[]): number => texts.join('').length;

situationWith('session_in_commands')(
  `an informed session, 8 files read and 6 edited under one lock: at most ${INFORMED} characters, no refusal`,
  async ({ stage }) => {
    const scratch = guarded(stage, FILES, { on_path: true });
    const at = (names: readonly string[]): readonly string[] => names.map((name) => scratch.path(name));
    const agent = obedient(async function* (hands) {
      yield* hands.lock(...OWN);
      yield* hands.read(...at(NAMES));
      for (const file of at(OWN)) yield* hands.write(replace(file, 'one', 'ONE'));
      yield* hands.release(...OWN);
    });
    const { run } = await stage.play(scratch, { main: agent.turn }, { prompt: '[[main]] Refactor.' });

    expect(agent.denied()).toEqual([]);
    expect(agent.book.calls).toBe(1 + 8 + 6 + 1);
    expect(OWN.map((name) => scratch.read(name))).toEqual(OWN.map(() => 'ONE\ntwo\n'));
    const said = saidTo(run, agent);
    expect(lengthOf(said), said.join('\n---\n')).toBeLessThanOrEqual(INFORMED);
    expect(failedHooks(run)).toEqual([]);
  },
);

situationWith('session_in_commands')(
  `a naive session, 5 Edits and a Write in one message without a lock: at most ${NAIVE} characters`,
  async ({ stage }) => {
    const scratch = guarded(stage, FILES, { on_path: true });
    const fresh = scratch.path('src/new.txt');
    const jobs = NAMES.slice(0, 5).map((name) => replace(scratch.path(name), 'one', 'ONE'));
    const agent = obedient(async function* (hands) {
      yield* hands.read(...jobs.map(({ file }) => file));
      yield* hands.write(...jobs, { file: fresh, write: (_text, file) => write(file, 'new\n') });
    });
    const { run } = await stage.play(scratch, { main: agent.turn }, { prompt: '[[main]] Edit.' });

    expect(new Set(agent.denied())).toEqual(new Set(['NOT_LOCKED']));
    expect(NAMES.slice(0, 5).map((name) => scratch.read(name))).toEqual(jobs.map(() => 'ONE\ntwo\n'));
    expect(scratch.read('src/new.txt')).toBe('new\n');
    const said = saidTo(run, agent);
    expect(lengthOf(said), said.join('\n---\n')).toBeLessThanOrEqual(NAIVE);
    expect(failedHooks(run)).toEqual([]);
  },
);

situationWith('session_in_commands')(
  'three files that somebody changed after they were read: the lock answer names them, and no write is refused',
  async ({ stage }) => {
    const scratch = guarded(stage, FILES, { on_path: true });
    const common = NAMES.slice(0, 3).map((name) => scratch.path(name));
    const own = NAMES.slice(0, 6).map((name) => scratch.path(name));
    const [has_read, changed] = [makeGate(), makeGate()];
    const other = naive(common.map((file) => replace(file, 'two', 'TWO')));
    const agent = obedient(async function* (hands) {
      yield* hands.read(...own);
      has_read.open();
      await changed.opened;
      yield* hands.lock(...own);
      yield* hands.write(...own.map((file) => replace(file, 'one', 'ONE')));
    });
    const api = await stage.api({ main: agent.turn, other: other.turn });
    const first = stage.start(api, scratch, { prompt: '[[main]] Read, then refactor.' });
    await has_read.opened;
    await stage.start(api, scratch, { prompt: '[[other]] Change three.' }).done;
    changed.open();
    const run = await first.done;

    expect(agent.denied()).toEqual([]);
    expect(agent.book.calls, '6 reads, a lock, one batch of 3 reads, 6 edits').toBe(6 + 1 + 3 + 6);
    expect(NAMES.map((name) => scratch.read(name))).toEqual(
      NAMES.map((_, index) => (index < 3 ? 'ONE\nTWO\n' : index < 6 ? 'ONE\ntwo\n' : 'one\ntwo\n')),
    );
    expect(failedHooks(run)).toEqual([]);
  },
);
