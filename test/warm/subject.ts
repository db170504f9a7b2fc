/** A repository for generated events: its clocks can be changed, its disk can fail, and its server can be killed. */
import fs from 'node:fs';
import { attempt } from '../../src/core/attempt.ts';
import { type Finished, GUARD, HOOK, runLater, runNow } from '../claude/driver.ts';
import { type Act, FILES_AT_FIRST, type Turned } from './generate.ts';
import { type Ground, layAround } from './grounds.ts';
import { pidsIn, serve, stage, type Stage } from './stage.ts';
import type { Turn } from './turns.ts';

const TURNED = `${import.meta.dirname}/turned.cjs`;

export interface Subject extends Stage, Turned {
  /** Words that start Node for this repository. */
  readonly node: readonly string[];
  /** From now on all processes have these clocks, and `nth` events' time has passed since the first turn. */
  turn(turn: Turn, nth: number): void;
  /** Starts a server if there is none: it died, or an unreadable configuration kept it from starting. */
  isServed(): Promise<boolean>;
}

/** No sum of these comes close to 3 s, when a turn ends after its Stop, or to 18 s, when a sign of life is recorded again. */
const EVENT_MS = 700;

export function subject({ config, init, lay }: Ground): Subject {
  const at = stage({ files: FILES_AT_FIRST, ...(init && { init }), ...(config && { config }) });
  const [plan, preload] = ['turn.json', 'turn.cjs'].map((name) => at.put(`../${name}`, '{}')) as [
    string,
    string,
  ];
  fs.writeFileSync(
    preload,
    `require(${JSON.stringify(TURNED)})(${JSON.stringify(plan)}, ${JSON.stringify(at.state)});`,
  );
  const config_file = at.path('guard.config.json');
  const configText = (): string => attempt(() => fs.readFileSync(config_file, 'utf8'), '');
  let begun_ns = 0n;
  /** The configuration with which no server could be started. */
  let refused: string | undefined;
  const made: Subject = {
    ...at,
    node: [process.execPath, '--require', preload],
    turn(turn, nth) {
      const at_ns = String(begun_ns + BigInt(nth * EVENT_MS) * 1_000_000n);
      fs.writeFileSync(plan, JSON.stringify({ ...turn, at_ns }));
    },
    async isServed() {
      if (isServing(made)) return true;
      if (configText() === refused) return false;
      fs.rmSync(made.socket.replace(/sock$/, 'pid'), { force: true });
      await serve(made, made.node.slice(1));
      if (isServing(made)) return true;
      refused = configText();
      return false;
    },
    command(session, ...args) {
      const env = { ...at.env, ...(session !== '' && { CLAUDE_CODE_SESSION_ID: session, CLAUDECODE: '1' }) };
      const own = { args: [GUARD, ...args], cwd: at.root, env };
      // Before the first event the clocks are the machine's, and no process has to be started for a command.
      if (begun_ns === 0n) runNow(own);
      else runNow({ ...own, args: ['--require', preload, ...own.args], apart: true });
    },
  };
  layAround(made);
  lay?.(made);
  // Not at the first turn, which is later after this for the repository that was filled first.
  begun_ns = process.hrtime.bigint();
  return made;
}

export const hookWords = (at: Subject, request: string): readonly string[] => [
  ...at.node,
  HOOK,
  'guard',
  request,
];

/** Sends the event as a client does that starts these words. */
export function tell(at: Subject, { event, around }: Act, words: readonly string[]): Promise<Finished> {
  const given = event(at);
  const gone = ['/bin/sh', '-c', 'mkdir -p "$0" && cd "$0" && rmdir "$0" && exec "$@"', `${at.home}/gone`];
  const [program = '', ...args] = around.is_gone ? [...gone, ...words] : words;
  return runLater({
    ...{ program, args, cwd: around.cwd(at), env: around.env(at) },
    stdin: typeof given === 'string' || Buffer.isBuffer(given) ? given : JSON.stringify(given),
  }).done;
}

export function isServing(warm: Subject): boolean {
  const [pid] = pidsIn(warm);
  return pid !== undefined && fs.existsSync(`/proc/${pid}`);
}
