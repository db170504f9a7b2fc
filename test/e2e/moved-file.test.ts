/** A file that its holder is about to write was moved or deleted by another agent or a person. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

import { expect } from 'vitest';

import { denialOf } from './client/denial.ts';
import { makeGate } from './client/gate.ts';
import { failedHooks, guarded } from './client/guarded.ts';
import type { ClientRun } from './client/run.ts';
import { type Agent, obedient } from './client/obedient.ts';
import { bash, write } from './client/scenario.ts';
import type { Scratch } from './client/scratch.ts';
import { situation, type Stage } from './client/stage.ts';

interface Played {
  readonly scratch: Scratch;
  readonly holder: Agent;
  readonly runs: readonly ClientRun[];
}

/** One agent holds and has read src/m.txt; another is refused `command`, a person runs it; the first writes, obeys. */
async function played(stage: Stage, command: string): Promise<Played> {
  const files = { 'src/m.txt': 'one\ntwo\n', 'src/n.txt': 'one\n' };
  const scratch = guarded(stage, files, { on_path: true, allow: ['Bash'] });
  const m = scratch.path('src/m.txt');
  const [has_read, is_gone] = [makeGate(), makeGate()];
  const holder = obedient(async function* (hands) {
    yield* hands.lock(m);
    yield* hands.read(m);
    has_read.open();
    await is_gone.opened;
    yield* hands.write({ file: m, write: (text, at) => write(at, text.replace('one', 'ONE')) });
  });
  const mover = obedient(async function* (hands) {
    const { results } = yield* hands.call(bash(command));
    expect(denialOf(results[0])).toMatchObject({ error_type: 'LOCKED_BY_OTHER' });
  });
  const api = await stage.api({ holder: holder.turn, mover: mover.turn });
  const first = stage.start(api, scratch, { prompt: '[[holder]] Change m.', mode: 'default' });
  await has_read.opened;
  const moved = await stage.start(api, scratch, { prompt: '[[mover]] Tidy up.', mode: 'default' }).done;
  expect(existsSync(m), 'what another agent holds').toBe(true);
  execFileSync('sh', ['-c', command], {
    cwd: scratch.path('.'),
    env: { ...process.env, HOME: scratch.home },
  });
  expect(existsSync(m), 'the situation').toBe(false);
  is_gone.open();
  const runs = [await first.done, moved];
  expect(runs.flatMap(failedHooks)).toEqual([]);
  return { scratch, holder, runs };
}

/** No step tells the agent to read a missing file. */
function expectLedOn({ holder, scratch }: Played): void {
  const [denial] = holder.book.denials;
  expect(denial).toMatchObject({ error_type: 'STALE_FILE', details: { cause: 'target_missing' } });
  const gone = (denial?.details.next ?? []).filter((step) =>
    step.startsWith(`Read ${scratch.path('src/m.txt')}`),
  );
  expect(gone).toEqual([]);
  expect(holder.book.unclear, 'every step can be carried out as it stands').toEqual([]);
  expect(holder.book.gave_up).toBeNull();
}

situation(
  'a file that was moved with its directory is changed where it is now, and none appears at the old place',
  async ({ stage }) => {
    const moved = await played(stage, "git mv src lib && git commit -qm 'Move src'");
    const { scratch, holder } = moved;
    expectLedOn(moved);
    expect(holder.book.denials[0]?.details['moved_to']).toBe(scratch.path('lib/m.txt'));
    expect(scratch.read('lib/m.txt')).toBe('ONE\ntwo\n');
    expect(existsSync(scratch.path('src')), 'no ghost').toBe(false);
  },
);

situation(
  'a file that was deleted: the denial says so, names no place, and leads to an end',
  async ({ stage }) => {
    const deleted = await played(stage, "git rm -q src/m.txt && git commit -qm 'Drop m'");
    expectLedOn(deleted);
    const { denials, left } = deleted.holder.book;
    expect(denials[0]?.details['moved_to']).toBeUndefined();
    expect(denials.length, 'to leave it, or to make it anew').toBeLessThanOrEqual(2);
    const { scratch } = deleted;
    expect(existsSync(scratch.path('src/m.txt'))).toBe(left.length === 0);
  },
);
