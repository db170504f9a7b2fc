/**
 * The same events, in order, for a repository whose hooks are commands and for one whose hooks a server answers:
 * answers, exit codes and records are equal. GUARD_WARM_EVENTS sets their number, GUARD_WARM_SEED the seed.
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
/** A ledger and its windows grow; a new ledger shows the early states again. */
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
      // Otherwise this compared commands with commands. A busy machine may occasionally be late.
      expect(Math.min(...shares)).toBeGreaterThan(0.5);
    },
    60_000 + EVENTS * RUNS * 4_000,
  );
});

/**
 * A turn ends seconds after its Stop, and a sign of life is recorded when the last one is some seconds old. If a busy
 * machine falls between two repositories there, they differ without a fault. A real difference appears in every run.
 */
async function compared(seed: number, count: number): Promise<number> {
  for (let nth = 1; nth < RUNS; nth++) {
    const share = await compare(seed, count).catch(() => null);
    if (share !== null) return share;
  }
  return compare(seed, count);
}

/** Returns the share of events that the server answered. */
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
    // Changes within one tick of the file system's clock can't be attributed, and a server is faster than a tick.
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
