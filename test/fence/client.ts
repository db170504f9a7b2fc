/**
 * Sessions whose commands run as the client runs them: the shell's snapshot, the session's environment file, the command in an
 * `eval`, and where it ended (2.0.77 to 2.1.330). Hooks, shells and helpers are real processes.
 */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Answer, type Scratch, type Session, type ToolCall, working } from '../claude/driver.ts';

export interface Ran {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Guard's notes after the command. */
  readonly notes: string;
}

export interface Running {
  readonly pid: number;
  readonly done: Promise<Ran>;
}

export interface ShellOptions {
  readonly shell?: string;
  readonly cwd?: string;
  /** Runs the shell under this program: `setpriv …`. */
  readonly below?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A session that began with guard, and its environment file. */
export class Fenced {
  readonly session: Session;
  readonly env_file: string;

  constructor(at: Scratch, like: { readonly session: Session; readonly env_file: string } | null = null) {
    this.session = like?.session ?? working(at);
    this.env_file = like?.env_file ?? join(at.home, `env ${this.session.id}.sh`);
    if (like === null) this.start();
  }

  start(source = 'startup', more: Readonly<Record<string, string>> = {}): Answer {
    const { session } = this;
    return session.scratch.hook(session.payload('SessionStart', { source }), {
      ...session.env,
      CLAUDE_ENV_FILE: this.env_file,
      ...more,
    });
  }

  get preamble(): string {
    return fs.existsSync(this.env_file) ? fs.readFileSync(this.env_file, 'utf8').trim() : '';
  }

  subagent(name: string): Fenced {
    const sub = this.session.subagent(name);
    sub.fire('SubagentStart');
    return new Fenced(sub.scratch, { session: sub, env_file: this.env_file });
  }

  /** The text that the shell runs, with the command as PreToolUse rewrote it. */
  script(command: string): {
    readonly text: string;
    readonly call: ToolCall;
    readonly denied: Answer | null;
  } {
    const { session } = this;
    const call = session.call('Bash', { command });
    const pre = session.pre(call);
    const marked = pre.updated?.['command'];
    const line = (typeof marked === 'string' ? marked : command).replaceAll("'", `'"'"'`);
    const cwd_file = join(session.scratch.home, `cwd-${call.id}`);
    const parts = ['source /dev/null 2>/dev/null || true', this.preamble, `eval '${line}' < /dev/null`];
    const text = [...parts.filter((part) => part !== ''), `pwd -P >| '${cwd_file}'`].join(' && ');
    return { text, call, denied: pre.exit === 2 ? pre : null };
  }

  bash(command: string, options: ShellOptions = {}): Ran {
    const { text, call, denied } = this.script(hidden(command));
    if (denied !== null) throw new Error(`denied: ${denied.stderr}`);
    const [program = '', ...args] = argsOf(text, options);
    const done = spawnSync(program, args, this.surroundings(options));
    return this.ended(call, done.status, done.stdout.toString(), done.stderr.toString());
  }

  /** Starts the command without waiting for it, so that other hooks can run meanwhile. */
  run(command: string, options: ShellOptions = {}): Running {
    const { text, call, denied } = this.script(hidden(command));
    if (denied !== null) throw new Error(`denied: ${denied.stderr}`);
    const [program = '', ...args] = argsOf(text, options);
    const child = spawn(program, args, { ...this.surroundings(options), detached: true });
    const out: string[] = [];
    const err: string[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk.toString()));
    const pid = child.pid ?? 0;
    let is_over = false;
    onTestFinished(() => {
      is_over = true;
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // It has already ended.
      }
    });
    const done = new Promise<Ran>((resolve) => {
      child.on('close', (exit) => {
        // Run no more hooks after the test has ended.
        if (!is_over) resolve(this.ended(call, exit, out.join(''), err.join('')));
      });
    });
    return { pid, done };
  }

  private surroundings({ cwd, env }: ShellOptions) {
    const { session } = this;
    return {
      cwd: cwd ?? session.scratch.root,
      env: { ...session.scratch.env, CLAUDECODE: '1', ...session.env, ...env },
    };
  }

  /** The client merges both streams into one. */
  private ended(call: ToolCall, exit: number | null, stdout: string, stderr: string): Ran {
    const answer =
      exit === 0
        ? this.session.post(call, { stdout: `${stdout}${stderr}`, stderr: '', interrupted: false })
        : this.session.failed(call, `Exit code ${String(exit)}\n${stdout}${stderr}`);
    return { exit, stdout, stderr, notes: answer.context };
  }
}

/** Hides what the command does, because guard would deny it before it reaches the fence. */
export const hidden = (command: string): string =>
  `eval "$(echo ${Buffer.from(command).toString('base64')} | base64 -d)"`;

const argsOf = (text: string, { shell = '/bin/bash', below = [] }: ShellOptions): string[] => [
  ...below,
  shell,
  '-c',
  text,
];

/** Waits until the condition holds; throws after ten seconds. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 10_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`not within 10 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
