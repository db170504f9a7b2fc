/**
 * The same events, in order, for a repository whose hooks are commands and for one whose hooks a server answers:
 * answers, exit codes and records are equal, whatever the environment, the working directory, the clocks and the ledger
 * are, whatever fails, and wherever the server is killed. GUARD_WARM_EVENTS sets their number, GUARD_WARM_SEED the seed.
 * GUARD_WARM_LOG names a file that gets a line for each piece once it is compared, and what differed in a run of it.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { attempt } from '../../src/core/attempt.ts';
import { answerIn, difference, recordsIn } from './alike.ts';
import { act, dice } from './generate.ts';
import { type Ground, GROUNDS } from './grounds.ts';
import { LAUNCHERS, wordsFor } from './stage.ts';
import { say } from './say.ts';
import { hookWords, isServing, type Subject, subject, tell } from './subject.ts';
import { AT_FIRST, nextTurn } from './turns.ts';

const EVENTS = Number(process.env['GUARD_WARM_EVENTS'] ?? 40);
const SEED = Number(process.env['GUARD_WARM_SEED'] ?? 1);
/** A ledger and its windows grow; a new ledger shows the early states again. */
const EACH = Number(process.env['GUARD_WARM_EACH'] ?? 100);
/** Records are compared every so many events. */
const SEEN_EACH = 10;
const TICKS_MS = 30;
/** How long a launcher waits for a server (native/warm.c), less a tick of the file system's clock. */
const TAKE_UP_MS = 40;
const RUNS = Number(process.env['GUARD_WARM_RUNS'] ?? 3);
/** Recovery adds these after a process was killed between its writes. */
const OF_DEATHS = /"type":"ledger\.(?:index|cut)"/;

interface Piece {
  readonly seed: number;
  readonly count: number;
}
const PIECES: readonly Piece[] = Array.from({ length: Math.ceil(EVENTS / EACH) }, (_, nth) => ({
  seed: SEED + nth * EACH,
  count: Math.min(EACH, EVENTS - nth * EACH),
}));
/** A piece waits for most of its time, so a long run compares several at once, each with its own repositories. */
const LANES = Number(process.env['GUARD_WARM_LANES'] ?? 3);
const ROUNDS = Array.from({ length: Math.ceil(PIECES.length / LANES) }, (_, nth) =>
  PIECES.slice(nth * LANES, (nth + 1) * LANES),
).map((pieces) => ({ pieces, seeds: pieces.map(({ seed }) => seed).join(', ') }));

describe.skipIf(LAUNCHERS.length === 0)('hooks that a server answers', () => {
  it.each(ROUNDS)(
    'judge events as commands do, from $seeds',
    async ({ pieces }) => {
      const done = await Promise.allSettled(pieces.map(compared));
      expect(done.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))).toEqual([]);
    },
    60_000 + EACH * RUNS * 4_000,
  );
});

/** git may be too slow for a hook on a busy machine, in one repository only. A real difference appears in every run. */
async function compared(piece: Piece): Promise<void> {
  for (let nth = 1; ; nth++) {
    const begin = Date.now();
    const after = (): string => `run ${nth}, ${Math.round((Date.now() - begin) / 1_000)} s`;
    try {
      const { name, answered, late } = await compare(piece);
      say(`seed ${piece.seed}, ${name}: ${piece.count} alike, ${answered} warm, ${late} late, ${after()}`);
      return;
    } catch (error) {
      say(`seed ${piece.seed} differs, ${after()}: ${String(error)}`);
      if (nth >= RUNS) throw error;
    }
  }
}

interface Compared {
  readonly name: string;
  /** Of the events that a launcher handed over: those that the server answered, and those for which it was late. */
  readonly answered: number;
  readonly late: number;
}

async function compare({ seed, count }: Piece): Promise<Compared> {
  const roll = dice(seed);
  const ground = GROUNDS[Math.floor(seed / EACH) % GROUNDS.length] as Ground;
  const [cold, warm] = [subject(ground), subject(ground)];
  const late = `${warm.home}/late`;
  const { pid } = cold.sleeper();
  const launcher = wordsFor(LAUNCHERS[roll(LAUNCHERS.length)]);
  const sum = { answered: 0, late: 0 };
  let turn = AT_FIRST;
  for (let nth = 0; nth < count; nth++) {
    const one = act(roll, nth, pid);
    turn = nextTurn(roll, turn);
    // Changes within one tick of the file system's clock can't be attributed, and a server is faster than a tick.
    await pause(TICKS_MS);
    const { mono_ms, boot_ms, wall_ms, dies } = turn;
    for (const at of [cold, warm]) {
      at.turn({ mono_ms, boot_ms, wall_ms }, nth);
      one.before(at);
    }
    const is_served = await warm.isServed();
    for (const at of [cold, warm]) at.turn(turn, nth + 0.5);
    await pause(TICKS_MS);
    const request = `warm:${randomBytes(10).toString('hex')}`;
    const by_command = await tell(cold, one, hookWords(cold, request));
    fs.rmSync(late, { force: true });
    // The launcher adds its own request.
    const command = hookWords(warm, request).slice(0, -1);
    const begin_ms = Date.now();
    const by_server = await tell(warm, one, [
      ...[...launcher, '/bin/sh', '-c', `echo > '${late}'; exec "$@"`, 'sh'],
      ...command,
    ]);
    const name = `${seed} ${ground.name}: ${one.name} ${JSON.stringify(turn)}`;
    same(name, answerIn(warm, by_server), answerIn(cold, by_command));
    if (nth % SEEN_EACH === 0) sameRecords(name, warm, cold);
    if (!is_served || !one.around.isHandedOver(warm) || dies !== undefined) continue;
    const begun_ms = fs.statSync(late, { throwIfNoEntry: false })?.mtimeMs;
    // A busy machine is late; a living server that refuses an event, or dies of it, is a fault.
    expect([isServing(warm), (begun_ms ?? Infinity) - begin_ms > TAKE_UP_MS], name).toEqual([true, true]);
    sum[begun_ms === undefined ? 'answered' : 'late'] += 1;
  }
  sameRecords(`${seed}`, warm, cold);
  expect(warm.guard('verify').exit).toBe(cold.guard('verify').exit);
  // Otherwise this compared commands with commands.
  expect(sum.answered === 0 && sum.late > 10, `${seed} ${ground.name}`).toBe(false);
  return { name: ground.name, ...sum };
}

/** None of a damaged ledger. */
const readable = (at: Subject): readonly string[] => attempt(() => recordsIn(at), []);

function sameRecords(name: string, ...both: readonly [Subject, Subject]): void {
  const [by_warm, by_cold] = both.map((at) =>
    readable(at)
      .filter((one) => !OF_DEATHS.test(one))
      .join('\n'),
  );
  same(name, by_warm, by_cold);
}

/** Not `expect`, whose message cuts the difference. */
function same(name: string, by_warm = '', by_cold = ''): void {
  const differs = difference(by_warm, by_cold);
  if (differs !== '') throw new Error(`${name}:\n${differs}`);
}
