/**
 * A model that follows instructions literally: the text at the start of its session or run, the answer of a lock, and
 * the steps of every denial in order, before it repeats the refused call. It counts its tool calls.
 */
import { setImmediate as tick } from 'node:timers/promises';
import type { Denial } from './answer.ts';
import * as disk from './disk.ts';
import { runLater } from './process.ts';
import type { Session } from './session.ts';

/** One edit; the text it replaces stays in the file whatever other agents change. */
export interface Job {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface Obedient {
  readonly calls: readonly string[];
  /** The text from guard that its client passes on before its first call. */
  told(words: string): Promise<void>;
  read(file: string): Promise<void>;
  edit(job: Job): Promise<void>;
  /** Any other tool call. */
  does(call: string): void;
}

/** More calls than this mean that it loops. */
const CALLS_MAX = 60;

/** @param is_guarded false for a client without hooks */
export function obedient(agent: Session, plan: readonly string[], is_guarded = true): Obedient {
  const calls: string[] = [];
  const does = (call: string): void => {
    calls.push(call);
    if (calls.length > CALLS_MAX) throw new Error(`${agent.name} runs in circles: ${calls.join('; ')}`);
  };
  const pathOf = (file: string): string => agent.scratch.path(file);

  /** One Bash call; a wait may take long while the other agents continue. */
  async function run(command: string): Promise<string> {
    does(`Bash ${command}`);
    await tick();
    const { updated } = agent.pre(agent.call('Bash', { command }));
    const marked = updated?.['command'];
    const line = (typeof marked === 'string' ? marked : command).replaceAll("'", `'"'"'`);
    const { stdout } = await runLater({
      program: 'bash',
      args: ['-c', `eval '${line}'`],
      cwd: agent.cwd,
      env: { ...agent.scratch.env, CLAUDECODE: '1', ...agent.env },
    }).done;
    return stdout;
  }

  async function read(file: string): Promise<void> {
    does(`Read ${file}`);
    await tick();
    if (is_guarded) agent.read(file);
  }

  /** Reads the files that a lock's answer reports as changed. */
  async function heed(
    answer: string,
  ): Promise<{ readonly read: readonly string[]; readonly left: readonly string[] }> {
    const filesIn = (pattern: RegExp): string[] => [...answer.matchAll(pattern)].map(([, file = '']) => file);
    const old = filesIn(/^locked +(\S+) \(.*read it again/gm);
    for (const file of old) await read(file);
    return { read: old, left: filesIn(/^not locked (\S+): held by/gm) };
  }

  async function obey({ details }: Denial): Promise<void> {
    let done: readonly string[] = [];
    for (const step of details.next) {
      const [, file] = /^Read (\S+) again/.exec(step) ?? [];
      if (file === undefined) done = (await heed(await run(step))).read;
      else if (!done.includes(file)) await read(file);
    }
  }

  return {
    calls,
    does,
    read,
    async told(words) {
      const [lock, wait] = ['try', 'wait'].map(
        (verb) => new RegExp(`: ([^:\\n]+ lock ${verb}) FILE`).exec(words)?.[1],
      );
      if (lock === undefined || wait === undefined) throw new Error(`no command in: ${words}`);
      const { left } = await heed(await run(`${lock} ${plan.map(pathOf).join(' ')}`));
      if (left.length > 0) await heed(await run(`${wait} ${left.join(' ')}`));
    },
    async edit({ file, from, to }) {
      for (;;) {
        does(`Edit ${file}`);
        await tick();
        if (!is_guarded) return void disk.edit(pathOf(file), from, to);
        const { denial } = agent.edit(file, from, to).pre;
        if (denial === null) return;
        await obey(denial);
      }
    },
  };
}
