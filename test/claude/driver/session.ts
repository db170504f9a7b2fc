/**
 * One agent as its client presents it to guard: events of the recorded shapes sent to real hook processes, and a tool
 * that really changes the file between PreToolUse and PostToolUse.
 */
import fs from 'node:fs';
import type { Answer } from './answer.ts';
import * as disk from './disk.ts';
import { type Env, GUARD } from './process.ts';
import type { Command, Scratch } from './scratch.ts';
import { silentFor } from './silence.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface Identity {
  /** Session id; a new one by default. */
  readonly id?: string;
  /** The client's process; a sleeping child by default, `null` for none (clients up to 2.1.100). */
  readonly pid?: number | null;
  /** Subagent id. */
  readonly agent?: string;
  readonly cwd?: string;
  readonly env?: Env;
}

export interface ToolCall {
  readonly tool: string;
  readonly input: Fields;
  readonly id: string;
}

/** Hooks for a test around a tool that writes. */
export interface Around {
  /** After guard's approval, before the tool writes. */
  readonly before?: () => void;
  /** After the tool wrote, before PostToolUse runs. */
  readonly after?: () => void;
}

export interface Written {
  readonly pre: Answer;
  /** Null if the call was denied. */
  readonly post: Answer | null;
  readonly call: ToolCall;
}

let serial = 0;

export class Session {
  readonly scratch: Scratch;
  readonly id: string;
  readonly pid: number | null;
  readonly agent: string | null;
  readonly cwd: string;
  readonly env: Env;

  constructor(scratch: Scratch, identity: Identity = {}) {
    this.scratch = scratch;
    this.id = identity.id ?? `00000000-0000-4000-8000-${String(++serial).padStart(12, '0')}`;
    this.pid = identity.pid === undefined ? scratch.sleeper().pid : identity.pid;
    this.agent = identity.agent ?? null;
    this.cwd = identity.cwd ?? scratch.root;
    this.env = {
      CLAUDE_CODE_SESSION_ID: this.id,
      ...(this.pid === null ? {} : { CLAUDE_PID: String(this.pid) }),
      ...identity.env,
    };
  }

  /** The agent's name in guard. */
  get name(): string {
    return this.agent === null ? `claude-${this.id}` : `claude-${this.id}/${this.agent}`;
  }

  subagent(agent: string): Session {
    const { scratch, id, pid, cwd, env } = this;
    return new Session(scratch, { id, pid, cwd, env, agent });
  }

  payload(event: string, fields: Fields = {}): object {
    return {
      session_id: this.id,
      transcript_path: `${this.scratch.home}/.claude/projects/-repo/${this.id}.jsonl`,
      cwd: this.cwd,
      permission_mode: 'default',
      ...(this.agent === null ? {} : { agent_id: this.agent, agent_type: 'general-purpose' }),
      hook_event_name: event,
      ...fields,
    };
  }

  fire = (event: string, fields: Fields = {}): Answer =>
    this.scratch.hook(this.payload(event, fields), this.env);

  fireLater = (event: string, fields: Fields = {}): Promise<Answer> =>
    this.scratch.startHook(this.payload(event, fields), this.env);

  start = (source = 'startup'): Answer => this.fire('SessionStart', { source });
  prompt = (prompt = 'go'): Answer => this.fire('UserPromptSubmit', { prompt });
  stop = (fields: Fields = { background_tasks: [] }): Answer => this.fire('Stop', fields);
  /** Stop, then the time that leases outlast it if no other hook is configured. */
  stopped(fields?: Fields): Answer {
    const answer = this.stop(fields);
    this.silent(3_000);
    return answer;
  }

  /** Stop, with the usual seconds extended by a minute, for events that must arrive in time on a busy machine. */
  stopping(fields?: Fields): Answer {
    const answer = this.stop(fields);
    this.silent(-60_000);
    return answer;
  }

  silent = (duration_ms: number): void => silentFor(this.scratch.state, this.name, duration_ms);
  end = (reason = 'other'): Answer => this.fire('SessionEnd', { reason });

  call = (tool: string, input: Fields, id = `toolu_${String(++serial)}`): ToolCall => ({ tool, input, id });

  pre = (call: ToolCall): Answer => this.fire('PreToolUse', fieldsOf(call));
  preLater = (call: ToolCall): Promise<Answer> => this.fireLater('PreToolUse', fieldsOf(call));
  post = (call: ToolCall, tool_response: unknown): Answer =>
    this.fire('PostToolUse', { ...fieldsOf(call), tool_response, duration_ms: 9 });
  failed = (call: ToolCall, error: string): Answer =>
    this.fire('PostToolUseFailure', { ...fieldsOf(call), error, is_interrupt: false, duration_ms: 2 });
  batch = (...calls: readonly ToolCall[]): Answer =>
    this.fire('PostToolBatch', {
      tool_calls: calls.map((call) => ({ ...fieldsOf(call), tool_response: 'ok' })),
    });

  /** A Read of the file on disk; for a missing file, the failure that the client reports. */
  read(file: string, offset?: number, limit?: number): Answer {
    const file_path = this.scratch.path(file);
    const call = this.call('Read', { file_path, ...(offset === undefined ? {} : { offset, limit }) });
    if (!fs.existsSync(file_path)) {
      return this.failed(call, `File does not exist. Note: your current working directory is ${this.cwd}.`);
    }
    return this.post(call, disk.read(file_path, offset, limit));
  }

  edit(file: string, old_string: string, new_string: string, around: Around = {}): Written {
    const file_path = this.scratch.path(file);
    const call = this.call('Edit', { file_path, old_string, new_string, replace_all: false });
    return this.run(call, () => disk.edit(file_path, old_string, new_string), around);
  }

  write(file: string, content: string, around: Around = {}): Written {
    const file_path = this.scratch.path(file);
    return this.run(this.call('Write', { file_path, content }), () => disk.write(file_path, content), around);
  }

  /** PreToolUse, the tool unless it is denied, PostToolUse. */
  run(call: ToolCall, tool: () => unknown, around: Around = {}): Written {
    const pre = this.pre(call);
    if (pre.exit === 2) return { pre, post: null, call };
    around.before?.();
    const response = tool();
    around.after?.();
    return { pre, post: this.post(call, response), call };
  }

  /** Runs guard through Bash, as the agent would. */
  guard(...args: readonly string[]) {
    const plain = this.agent === null ? this.scratch.guardWith(this.env, ...args) : null;
    // When it has subagents, only a marked command line identifies it.
    if (plain !== null && !plain.stderr.includes('GUARD_ERR_SPEAKER')) return plain;
    return this.bash([process.execPath, GUARD, ...args].map((word) => `'${word}'`).join(' '));
  }

  /** Runs the command line that PreToolUse returns, in the shell that the client starts: `eval` under `-c`. */
  bash(command: string): Command {
    const { updated } = this.pre(this.call('Bash', { command }));
    const marked = updated?.['command'];
    const line = (typeof marked === 'string' ? marked : command).replaceAll("'", `'"'"'`);
    return this.scratch.shell(`eval '${line}' < /dev/null && pwd -P > /dev/null`, {
      CLAUDECODE: '1',
      ...this.env,
    });
  }

  lock(...files: readonly string[]): void {
    const told = this.guard('lock', 'try', ...files.map((file) => this.scratch.path(file)));
    if (told.exit !== 0)
      throw new Error(`${this.name} did not get ${files.join(', ')}: ${told.stdout}${told.stderr}`);
  }
}

export const fieldsOf = ({ tool, input, id }: ToolCall): Fields => ({
  tool_name: tool,
  tool_input: input,
  tool_use_id: id,
});
