import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

import type { Api } from './api.ts';
import type { Isolation } from './isolation.ts';
import type { Scratch } from './scratch.ts';
import { isAtLeast, SINCE } from './versions.ts';

export interface ClientOptions {
  readonly binary: string;
  /** The available command line options depend on it. */
  readonly version: string;
  readonly isolation: Isolation;
  readonly api: Api;
  readonly scratch: Scratch;
  /** Contains its marker, `[[name]]`. Several prompts are turns of one conversation, as an SDK host sends them. */
  readonly prompt: string | readonly string[];
  readonly mode?: 'auto' | 'default' | 'acceptEdits' | 'bypassPermissions' | 'dontAsk' | 'plan';
  readonly model?: string;
  /** The id of a session to resume. */
  readonly resume?: string;
  /** Keeps a conversation (several prompts, or a list of one) open until `close`. */
  readonly open?: boolean;
  /** Custom agents, as `--agents` takes them. */
  readonly agents?: unknown;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A directory inside the repository; its root by default. */
  readonly cwd?: string;
  readonly limit_ms?: number;
}

export interface HookEvent {
  readonly hook_event: string;
  readonly hook_name: string;
  readonly exit_code: number | undefined;
  readonly outcome: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StreamEvent {
  readonly type: string;
  readonly subtype?: string;
  readonly session_id?: string;
  readonly [field: string]: unknown;
}

export interface ClientRun {
  readonly code: number | null;
  readonly signal: string | null;
  /** The lines of stream-json. */
  readonly events: readonly StreamEvent[];
  /** How each hook process ended. */
  readonly hooks: readonly HookEvent[];
  readonly session: string;
  /** The final answer. */
  readonly result: string;
  readonly stderr: string;
  readonly took_ms: number;
  readonly timed_out: boolean;
  /** Processes that the client left behind; they have been killed. */
  readonly left: readonly { readonly pid: number; readonly line: string }[];
}

export interface RunningClient {
  readonly done: Promise<ClientRun>;
  /** The session id, as soon as the client reports it. */
  readonly session: () => Promise<string>;
  /** Sends a signal to the client only. */
  signal(name: NodeJS.Signals): void;
  /** A person types this, mid-turn or later; resolves when the client has it. Only if the prompt is a list. */
  say(text: string): Promise<void>;
  /** A person presses ESC; resolves when the client has stopped. Only if the prompt is a list. */
  interrupt(): Promise<void>;
  /** Ends the input, so that the client exits. */
  close(): void;
  /** The first matching line of stream-json, past or future. */
  event(isIt: (event: StreamEvent) => boolean): Promise<StreamEvent>;
  /** Kills the client and everything it started; `done` then resolves. */
  end(): void;
}

const LIMIT_MS = 90_000;

/** Starts the client under launch.mjs, which ends it when this process ends or the time is up. */
export function startClient(options: ClientOptions): RunningClient {
  const start = performance.now();
  const { scratch, isolation } = options;
  const job = {
    command: options.binary,
    args: argumentsOf(options),
    env: {
      ...scratch.env,
      ...(options.mode === 'bypassPermissions' ? { IS_SANDBOX: '1' } : {}),
      ...options.env,
    },
    cwd: options.cwd ?? scratch.repo,
    socket: options.api.socket,
    isolated: isolation.prefix.length > 0,
    run: randomUUID(),
    open: options.open === true,
    ...(typeof options.prompt === 'string' ? {} : { turns: options.prompt.map(turnOf) }),
  };
  const [command, ...args] = [
    ...isolation.prefix,
    process.execPath,
    join(import.meta.dirname, 'launch.mjs'),
    JSON.stringify(job),
  ];
  const launcher = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] });
  const [, stdout, stderr, lifeline, report] = launcher.stdio as [
    null,
    Readable,
    Readable,
    Writable,
    Readable,
  ];
  lifeline.on('error', () => undefined);
  let timed_out = false;
  const timer = setTimeout(() => {
    timed_out = true;
    lifeline.end();
  }, options.limit_ms ?? LIMIT_MS);
  const exit = new Promise<void>((resolve, reject) => {
    launcher.on('error', reject).on('close', () => resolve());
  });
  const lines = hear(stdout);
  const done = Promise.all([lines.whole, textOf(stderr), textOf(report), exit])
    .then(([out, err, end]) => ({
      ...read(out, end),
      stderr: err,
      took_ms: performance.now() - start,
      timed_out,
    }))
    .finally(() => clearTimeout(timer));
  const send = (line: string): void => void lifeline.write(`${line}\n`);
  const control = async (subtype: string, more: object = {}): Promise<void> => {
    const request_id = randomUUID();
    send(JSON.stringify({ type: 'control_request', request_id, request: { subtype, ...more } }));
    await lines.event(
      ({ response }) => (response as { request_id?: string } | undefined)?.request_id === request_id,
    );
  };
  return {
    done,
    signal: send,
    say: async (text) => {
      send(turnOf(text));
      // It reads line by line: the answer to this request shows that it has the previous line.
      await control('set_permission_mode', { mode: options.mode ?? 'default' });
    },
    interrupt: () => control('interrupt'),
    session: async () => (await lines.event(({ session_id }) => session_id !== undefined)).session_id ?? '',
    close: () => send('null'),
    event: lines.event,
    end: () => lifeline.end(),
  };
}

interface Heard {
  readonly whole: Promise<string>;
  readonly event: (isIt: (event: StreamEvent) => boolean) => Promise<StreamEvent>;
}

/** Reads stream-json as it arrives. */
function hear(stream: Readable): Heard {
  const events: StreamEvent[] = [];
  const looking = new Set<() => void>();
  let [whole, rest] = ['', ''];
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    whole += chunk;
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    events.push(...lines.flatMap(parse));
    for (const look of [...looking]) look();
  });
  const ended = new Promise<string>((resolve) => {
    stream.on('close', () => resolve(whole));
  });
  return {
    whole: ended,
    event: (isIt) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = events.find(isIt);
          if (found === undefined) return;
          looking.delete(look);
          resolve(found);
        };
        looking.add(look);
        look();
        void ended.then(() => reject(new Error('the client ended without it')));
      }),
  };
}

function argumentsOf(options: ClientOptions): readonly string[] {
  return [
    '-p',
    ...(typeof options.prompt === 'string' ? [options.prompt] : ['--input-format', 'stream-json']),
    ...['--output-format', 'stream-json', '--verbose'],
    ...(isAtLeast(options.version, SINCE.hook_events) ? ['--include-hook-events'] : []),
    ...(options.mode === undefined ? [] : ['--permission-mode', options.mode]),
    ...(options.model === undefined ? [] : ['--model', options.model]),
    ...(options.resume === undefined ? [] : ['--resume', options.resume]),
    ...(options.agents === undefined ? [] : ['--agents', JSON.stringify(options.agents)]),
    ...(options.args ?? []),
  ];
}

const turnOf = (content: string): string =>
  JSON.stringify({ type: 'user', message: { role: 'user', content } });

type Ending = Pick<ClientRun, 'code' | 'signal' | 'left'>;

function read(stdout: string, report: string): Omit<ClientRun, 'stderr' | 'took_ms' | 'timed_out'> {
  const events = stdout.split('\n').flatMap(parse);
  const result = events.findLast(({ type }) => type === 'result');
  const end = report === '' ? { code: null, signal: null, left: [] } : (JSON.parse(report) as Ending);
  return {
    ...end,
    events,
    hooks: events
      .filter(({ subtype }) => subtype === 'hook_response')
      .map((event) => event as unknown as HookEvent),
    session: events.find(({ session_id }) => session_id !== undefined)?.session_id ?? '',
    result: typeof result?.['result'] === 'string' ? result['result'] : '',
  };
}

function parse(line: string): readonly StreamEvent[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as StreamEvent];
  } catch {
    return [{ type: 'unparsed', line }];
  }
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
