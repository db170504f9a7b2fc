/** Starts the hooks that `guard init` wrote into a repository's settings, as the client would. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Places } from './fixture.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface Event extends Fields {
  readonly hook_event_name: string;
  readonly tool_name?: string;
}

export interface Told {
  /** Exit code 2, or a decision to deny. */
  readonly denied: boolean;
  /** Everything it told the model: context, or the reason for a denial. */
  readonly text: string;
  /** The command to run instead, if any. */
  readonly command: string | null;
  readonly took_ms: number;
  /** User and system CPU time of the hook's process; 0 unless measured (`measuringCpu`). */
  readonly cpu_ms: number;
}

export interface Agent {
  readonly session: string;
  /** A process that lives as long as the session. */
  readonly pid: number;
  readonly subagent?: string;
}

/** The agent's name in guard. */
export const nameOf = ({ session, subagent }: Agent): string =>
  subagent === undefined ? `claude-${session}` : `claude-${session}/${subagent}`;

interface Settings {
  readonly hooks?: Readonly<
    Record<
      string,
      readonly { readonly matcher?: string; readonly hooks: readonly { readonly command: string }[] }[]
    >
  >;
}

export interface Around {
  readonly cwd: string;
  readonly env: Places['env'];
  readonly stdin: string;
}

export interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly took_ms: number;
}

/** How to run hook lines from the settings, and guard's commands. */
export interface Ways {
  line(command: string, around: Around): Ended;
  node(args: readonly string[], around: Around): Ended;
}

const spawned = (program: string, args: readonly string[], { cwd, env, stdin }: Around): Ended => {
  const begin = performance.now();
  const options = { cwd, env, input: stdin, encoding: 'utf8', timeout: LIMIT_MS } as const;
  const { status, stdout, stderr } = spawnSync(program, args, options);
  return { exit: status, stdout, stderr, took_ms: performance.now() - begin };
};

/** As the client and its agents do: one process each. */
export const PROCESSES: Ways = {
  line: (command, around) => spawned('/bin/sh', ['-c', command], around),
  node: (args, around) => spawned(process.execPath, args, around),
};

export interface Fired {
  readonly agent: Agent;
  /** The agent's directory, relative to the root. */
  readonly cwd: string;
  readonly event: Event;
}

/** Runs the hooks of one event in sequence, each once. */
export function fire(places: Places, { agent, cwd, event }: Fired, ways: Ways): Told {
  const { hooks = {} } = JSON.parse(
    fs.readFileSync(join(places.root, '.claude/settings.json'), 'utf8'),
  ) as Settings;
  const { hook_event_name: name, tool_name: tool = '' } = event;
  const entries = (hooks[name] ?? []).filter(({ matcher = '' }) => matches(matcher, tool));
  const commands = new Set(entries.flatMap((entry) => entry.hooks.map(({ command }) => command)));
  const { session, pid, subagent } = agent;
  const payload = {
    session_id: session,
    transcript_path: `${places.home}/.claude/projects/-repo/${session}.jsonl`,
    cwd: join(places.root, cwd),
    permission_mode: 'default',
    ...(subagent === undefined ? {} : { agent_id: subagent, agent_type: 'general-purpose' }),
    ...event,
  };
  const env: Places['env'] = {
    ...places.env,
    CLAUDECODE: '1',
    CLAUDE_PROJECT_DIR: places.root,
    CLAUDE_CODE_SESSION_ID: session,
    CLAUDE_PID: String(pid),
  };
  const around = { cwd: join(places.root, cwd), env, stdin: JSON.stringify(payload) };
  const answers = [...commands].map((command) => told(ways.line(command, around), env['CPU_FILE']));
  return (
    answers.find(({ denied }) => denied) ??
    answers[0] ?? { ...{ denied: false, text: '', command: null }, took_ms: 0, cpu_ms: 0 }
  );
}

const matches = (matcher: string, tool: string): boolean =>
  matcher === '' || matcher === '*' || new RegExp(`^(?:${matcher})$`).test(tool);

interface Output {
  readonly hookSpecificOutput?: {
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly additionalContext?: string;
    readonly updatedInput?: { readonly command?: string };
  };
}

/** Environment that makes a Node process write its CPU time, in microseconds, to `file` when it exits. */
export function measuringCpu(file: string): { readonly NODE_OPTIONS: string; readonly CPU_FILE: string } {
  const script = `${file}.cjs`;
  fs.writeFileSync(
    script,
    `process.on('exit', () => {
      const { user, system } = process.cpuUsage();
      require('fs').writeFileSync(process.env.CPU_FILE, String(user + system));
    });`,
  );
  return { NODE_OPTIONS: `--require ${script}`, CPU_FILE: file };
}

export const cpuIn = (file: string | undefined): number =>
  file === undefined ? 0 : Number(fs.readFileSync(file, 'utf8')) / 1000;

function told({ exit, stdout, stderr, took_ms }: Ended, cpu_file: string | undefined): Told {
  if (exit !== 0 && exit !== 2) throw new Error(`hook: ${String(exit)} ${stderr} ${stdout}`);
  const said = (stdout === '' ? {} : (JSON.parse(stdout) as Output)).hookSpecificOutput;
  return {
    denied: exit === 2 || said?.permissionDecision === 'deny',
    text: `${said?.additionalContext ?? ''}${said?.permissionDecisionReason ?? ''}`,
    command: said?.updatedInput?.command ?? null,
    took_ms,
    cpu_ms: cpuIn(cpu_file),
  };
}

const LIMIT_MS = 60_000;
