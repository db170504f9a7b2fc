/**
 * The same events, in order, for a repository whose hooks are commands and for one whose hooks a server answers:
 * answers, exit codes and records are equal, whatever the environment, the working directory, the clocks and the ledger
 * are, whatever fails, and wherever the server is killed. GUARD_WARM_EVENTS sets their number, GUARD_WARM_SEED the seed.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { attempt } from '../../src/core/attempt.ts';
import { GUARD, HOOK, runLater, runNow } from '../claude/driver.ts';
import { answerIn, difference, recordsIn } from './alike.ts';
import { act, type Act, dice, FILES_AT_FIRST, type Turned } from './generate.ts';
import { type Ground, GROUNDS, layAround } from './grounds.ts';
import { LAUNCHERS, pidsIn, serve, stage, type Stage, wordsFor } from './stage.ts';
import { AT_FIRST, nextTurn, type Turn } from './turns.ts';

const EVENTS = Number(process.env['GUARD_WARM_EVENTS'] ?? 60);
const SEED = Number(process.env['GUARD_WARM_SEED'] ?? 1);
/** A ledger and its windows grow; a new ledger shows the early states again. */
const EACH = Number(process.env['GUARD_WARM_EACH'] ?? 100);
/** Records are compared every so many events. */
const SEEN_EACH = 10;
const TICKS_MS = 30;
const RUNS = Number(process.env['GUARD_WARM_RUNS'] ?? 3);
/** Recovery adds these after a process was killed between its writes. */
const OF_DEATHS = /"type":"ledger\.(?:index|cut)"/;
const TURNED = `${import.meta.dirname}/turned.cjs`;

/** A repository whose clocks can be changed, and whose disk can fail. */
interface Subject extends Stage, Turned {
  readonly preload: readonly string[];
  turn(turn: Turn): void;
}

function subject({ config, init, lay }: Ground): Subject {
  const at = stage({ files: FILES_AT_FIRST, ...(init && { init }), ...(config && { config }) });
  const [plan, preload] = ['turn.json', 'turn.cjs'].map((name) => at.put(`../${name}`, '{}')) as [
    string,
    string,
  ];
  fs.writeFileSync(
    preload,
    `require(${JSON.stringify(TURNED)})(${JSON.stringify(plan)}, ${JSON.stringify(at.state)});`,
  );
  const made: Subject = {
    ...at,
    preload: ['--require', preload],
    turn: (turn) => fs.writeFileSync(plan, JSON.stringify(turn)),
    command(session, ...args) {
      const env = { ...at.env, ...(session !== '' && { CLAUDE_CODE_SESSION_ID: session, CLAUDECODE: '1' }) };
      runNow({ args: ['--require', preload, GUARD, ...args], cwd: at.root, env, apart: true });
    },
  };
  layAround(made);
  lay?.(made);
  return made;
}

const told = (at: Subject, { event, around }: Act, words: readonly string[]) => {
  const given = event(at);
  const gone = ['/bin/sh', '-c', 'mkdir -p "$0" && cd "$0" && rmdir "$0" && exec "$@"', `${at.home}/gone`];
  const [program = '', ...args] = around.is_gone ? [...gone, ...words] : words;
  return runLater({
    ...{ program, args, cwd: around.cwd(at) },
    env: { ...at.env, CLAUDECODE: '1', CLAUDE_PROJECT_DIR: at.root, ...around.env(at) },
    stdin: typeof given === 'string' || Buffer.isBuffer(given) ? given : JSON.stringify(given),
  }).done;
};

interface Piece {
  readonly seed: number;
  readonly count: number;
}
const PIECES: readonly Piece[] = Array.from({ length: Math.ceil(EVENTS / EACH) }, (_, nth) => ({
  seed: SEED + nth * EACH,
  count: Math.min(EACH, EVENTS - nth * EACH),
}));
/** Most of the time passes in pauses, so a long run compares several pieces at once, each with its own repositories. */
const LANES = 3;
const ROUNDS = Array.from({ length: Math.ceil(PIECES.length / LANES) }, (_, nth) =>
  PIECES.slice(nth * LANES, (nth + 1) * LANES),
).map((pieces) => ({ pieces, seeds: pieces.map(({ seed }) => seed).join(', ') }));

describe.skipIf(LAUNCHERS.length === 0)('hooks that a server answers', () => {
  it.each(ROUNDS)(
    'judge events as commands do, from $seeds',
    async ({ pieces }) => {
      const done = await Promise.allSettled(pieces.map(({ seed, count }) => compared(seed, count)));
      expect(done.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))).toEqual([]);
      // Otherwise this compared commands with commands. A busy machine may occasionally be late.
      for (const one of done) expect(one.status === 'fulfilled' && one.value).toBeGreaterThan(0.5);
    },
    60_000 + EACH * RUNS * 4_000,
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

/** Returns the share of events that the server answered, of those it could have answered. */
async function compare(seed: number, count: number): Promise<number> {
  const roll = dice(seed);
  const ground = GROUNDS[Math.floor(seed / EACH) % GROUNDS.length] as Ground;
  const [cold, warm] = [subject(ground), subject(ground)];
  const late = `${warm.home}/late`;
  const { pid } = cold.sleeper();
  const launcher = wordsFor(LAUNCHERS[seed % LAUNCHERS.length]);
  let [turn, handed_over, answered] = [AT_FIRST, 0, 0];
  for (let nth = 0; nth < count; nth++) {
    const one = act(roll, nth, pid);
    turn = nextTurn(roll, turn);
    // Changes within one tick of the file system's clock can't be attributed, and a server is faster than a tick.
    await pause(TICKS_MS);
    const { mono_ms, boot_ms, wall_ms, dies } = turn;
    for (const at of [cold, warm]) {
      at.turn({ mono_ms, boot_ms, wall_ms });
      one.before(at);
    }
    const is_served = await served(warm);
    for (const at of [cold, warm]) at.turn(turn);
    await pause(TICKS_MS);
    const request = `warm:${randomBytes(10).toString('hex')}`;
    const command = (at: Subject) => [process.execPath, ...at.preload, HOOK, 'guard'];
    const by_command = await told(cold, one, [...command(cold), request]);
    fs.rmSync(late, { force: true });
    const counted = ['/bin/sh', '-c', `echo > '${late}'; exec "$@"`, 'sh', ...command(warm)];
    const by_server = await told(warm, one, [...launcher, ...counted]);
    const name = `${seed} ${ground.name}: ${one.name} ${JSON.stringify(turn)}`;
    const answers = [answerIn(warm, by_server), answerIn(cold, by_command)] as const;
    expect(difference(...answers), name).toBe('');
    if (nth % SEEN_EACH === 0) sameRecords(name, warm, cold);
    if (is_served && one.around.is_handed_over && dies === undefined) {
      handed_over += 1;
      answered += fs.existsSync(late) ? 0 : 1;
    }
  }
  sameRecords(`${seed}`, warm, cold);
  expect(warm.guard('verify').exit).toBe(cold.guard('verify').exit);
  return answered / handed_over;
}

/** None of a damaged ledger. */
const readable = (at: Subject): readonly string[] => attempt(() => recordsIn(at), []);

function sameRecords(name: string, ...both: readonly [Subject, Subject]): void {
  const [by_warm, by_cold] = both.map((at) =>
    readable(at)
      .filter((one) => !OF_DEATHS.test(one))
      .join('\n'),
  );
  expect(difference(by_warm, by_cold), name).toBe('');
}

/** Starts a server if there is none: it died, or an unreadable configuration kept it from starting. */
async function served(warm: Subject): Promise<boolean> {
  const [pid] = pidsIn(warm);
  if (isAlive(pid)) return true;
  fs.rmSync(warm.socket.replace(/sock$/, 'pid'), { force: true });
  await serve(warm, warm.preload);
  return isAlive(pidsIn(warm)[0]);
}

const isAlive = (pid: number | undefined): boolean => pid !== undefined && fs.existsSync(`/proc/${pid}`);
