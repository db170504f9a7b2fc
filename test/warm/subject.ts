/** A repository for generated events: its clocks can be changed, its disk can fail, and its server can be killed. */
import fs from 'node:fs';
import { type Finished, GUARD, HOOK, runLater, runNow } from '../claude/driver.ts';
import { type Act, FILES_AT_FIRST, type Turned } from './generate.ts';
import { type Ground, layAround } from './grounds.ts';
import { pidsIn, serve, stage, type Stage } from './stage.ts';
import { AT_FIRST, type Turn } from './turns.ts';

const TURNED = `${import.meta.dirname}/turned.cjs`;

export interface Subject extends Stage, Turned {
  /** Words that start Node for this repository. */
  readonly node: readonly string[];
  turn(turn: Turn): void;
}

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
  let now = AT_FIRST;
  const made: Subject = {
    ...at,
    node: [process.execPath, '--require', preload],
    turn(turn) {
      now = turn;
      fs.writeFileSync(plan, JSON.stringify(turn));
    },
    command(session, ...args) {
      const env = { ...at.env, ...(session !== '' && { CLAUDE_CODE_SESSION_ID: session, CLAUDECODE: '1' }) };
      const own = { args: [GUARD, ...args], cwd: at.root, env };
      // Before the first event the clocks are the machine's, and no process has to be started for a command.
      if (now === AT_FIRST) runNow(own);
      else runNow({ ...own, args: ['--require', preload, ...own.args], apart: true });
    },
  };
  layAround(made);
  lay?.(made);
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

/** Starts a server if there is none: it died, or an unreadable configuration kept it from starting. */
export async function isServed(warm: Subject): Promise<boolean> {
  if (isServing(warm)) return true;
  fs.rmSync(warm.socket.replace(/sock$/, 'pid'), { force: true });
  await serve(warm, warm.node.slice(1));
  return isServing(warm);
}

export function isServing(warm: Subject): boolean {
  const [pid] = pidsIn(warm);
  return pid !== undefined && fs.existsSync(`/proc/${pid}`);
}
