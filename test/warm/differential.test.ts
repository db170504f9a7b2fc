/**
 * The same events, one after the other, to a repository whose hooks are commands and to one whose hooks a server answers: the same answers,
 * exit codes and records. GUARD_WARM_EVENTS says how many, GUARD_WARM_SEED which.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { HOOK, runLater } from '../claude/driver.ts';
import { answerIn, recordsIn } from './alike.ts';
import { act, type Act, dice, FILES_AT_FIRST } from './generate.ts';
import { LAUNCHERS, serve, stage, type Stage, wordsFor } from './stage.ts';

const EVENTS = Number(process.env['GUARD_WARM_EVENTS'] ?? 60);
const SEED = Number(process.env['GUARD_WARM_SEED'] ?? 1);
/** A ledger and its windows grow; a new one shows the beginnings again. */
const EACH = 100;
const TICKS_MS = 30;
const RUNS = 3;

const told = (at: Stage, { event, env, cwd }: Act, program: string, args: readonly string[]) => {
  const given = event?.(at) ?? '';
  return runLater({
    ...{ program, args, cwd: at.path(cwd) },
    env: { ...at.env, CLAUDECODE: '1', CLAUDE_PROJECT_DIR: at.root, ...env },
    stdin: typeof given === 'string' ? given : JSON.stringify(given),
  }).done;
};

describe.skipIf(LAUNCHERS.length === 0)('hooks that a server answers', () => {
  it(
    `judge as commands do: ${EVENTS} events`,
    async () => {
      const shares: number[] = [];
      for (let first = 0; first < EVENTS; first += EACH)
        shares.push(await compared(SEED + first, Math.min(EACH, EVENTS - first)));
      // Else this compared commands with commands. A busy machine may be late now and then.
      expect(Math.min(...shares)).toBeGreaterThan(0.5);
    },
    60_000 + EVENTS * RUNS * 4_000,
  );
});

/**
 * A turn is over seconds after its end, and a sign of life goes on record when the last one is some seconds old: a machine so
 * busy that this falls between the two repositories tells them apart, where nothing is. What differs each time, differs.
 */
async function compared(seed: number, count: number): Promise<number> {
  for (let nth = 1; nth < RUNS; nth++) {
    const share = await compare(seed, count).catch(() => null);
    if (share !== null) return share;
  }
  return compare(seed, count);
}

/** Answers which share of the events the server answered. */
async function compare(seed: number, count: number): Promise<number> {
  const [cold, warm] = [stage({ files: FILES_AT_FIRST }), stage({ files: FILES_AT_FIRST })];
  for (const at of [cold, warm]) {
    at.git('-c', 'user.name=a', '-c', 'user.email=a@b', 'add', '-A');
    at.git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x');
  }
  await serve(warm);
  const late = join(warm.home, 'late');
  const roll = dice(seed);
  const { pid } = cold.sleeper();
  const [launcher, ...words] = wordsFor(LAUNCHERS[seed % LAUNCHERS.length]);
  for (let nth = 0; nth < count; nth++) {
    const one = act(roll, nth, pid);
    // What happened within one tick of the file system's clock is nobody's for certain, and a server is quicker than a tick.
    await pause(TICKS_MS);
    for (const at of [cold, warm]) one.before?.(at);
    await pause(TICKS_MS);
    const request = `warm:${randomBytes(10).toString('hex')}`;
    const by_command = await told(cold, one, process.execPath, [HOOK, 'guard', request]);
    const counted = ['/bin/sh', '-c', `echo >> '${late}'; exec "$@"`, 'sh', process.execPath, HOOK, 'guard'];
    const by_server = await told(warm, one, launcher, [...words, ...counted]);
    expect(`${one.name}: ${answerIn(warm, by_server)}`).toBe(`${one.name}: ${answerIn(cold, by_command)}`);
  }
  expect(recordsIn(warm)).toEqual(recordsIn(cold));
  expect(warm.guard('verify').exit).toBe(0);
  return 1 - (fs.existsSync(late) ? fs.statSync(late).size : 0) / count;
}
