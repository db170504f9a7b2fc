/** Starts the hooks that `guard init` wrote into a repository's settings, as the client does. */
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
  /** All that it said to the model: context, or the reason of a denial. */
  readonly text: string;
  /** The command that is to be run instead, if any. */
  readonly command: string | null;
  readonly took_ms: number;
  /** Of the hook's own process, user and system; 0 where nobody measures (`measuringCpu`). */
  readonly cpu_ms: number;
}

export interface Agent {
  readonly session: string;
  /** A process that lives as long as the session. */
  readonly pid: number;
  readonly subagent?: string;
}

/** As guard names it. */
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

/** `event` from an agent whose directory is `cwd`. The hooks of one event run one after the other, each once. */
export function fire(places: Places, agent: Agent, cwd: string, event: Event): Told {
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
  const env = {
    ...places.env,
    CLAUDECODE: '1',
    CLAUDE_PROJECT_DIR: places.root,
    CLAUDE_CODE_SESSION_ID: session,
    CLAUDE_PID: String(pid),
  };
  const answers = [...commands].map((command) =>
    start(command, join(places.root, cwd), env, JSON.stringify(payload)),
  );
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

/** Variables with which a Node process leaves its CPU time in `file` at its end, in microseconds. */
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

function start(command: string, cwd: string, env: Places['env'], input: string): Told {
  const begin = performance.now();
  const done = spawnSync('/bin/sh', ['-c', command], {
    cwd,
    env,
    input,
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
  const took_ms = performance.now() - begin;
  if (done.status !== 0 && done.status !== 2)
    throw new Error(`hook: ${String(done.status)} ${done.stderr} ${done.stdout}`);
  const said = (done.stdout === '' ? {} : (JSON.parse(done.stdout) as Output)).hookSpecificOutput;
  return {
    denied: done.status === 2 || said?.permissionDecision === 'deny',
    text: `${said?.additionalContext ?? ''}${said?.permissionDecisionReason ?? ''}`,
    command: said?.updatedInput?.command ?? null,
    took_ms,
    cpu_ms: cpuIn(env['CPU_FILE']),
  };
}

const LIMIT_MS = 60_000;
