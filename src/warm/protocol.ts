/**
 * The protocol between a launcher (native/warm.c, hooks/warm.pl) and the server, with one connection per event. The
 * server speaks first, which means that it accepts the event:
 *
 *   server    guard-warm 1 <pid> <mount and pid namespaces> <seconds to wait>\n
 *   launcher  <length> E|S <length><request id> <length><directory> <length><environment> <length><event>
 *   server    <exit code> <length><standard output> <length><standard error>, and the end
 *
 * Lengths and codes are 32-bit big-endian. The environment is `name=value`, separated by NUL.
 */
import { readlinkSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';

export interface HookRequest {
  /** `E`: an event. `S`: the server should end. */
  readonly kind: 'E' | 'S';
  /** 20 hexadecimal digits; empty if the launcher had none. */
  readonly id: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly event: string;
}

export interface Answer {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** To call once it was sent. */
  readonly sent?: (() => void) | undefined;
}

/** "Do it yourself": not a possible exit code. Nothing was done. */
export const REFUSED: Answer = { exit: 0xffffffff, stdout: '', stderr: '' };

/** The launcher handles larger events itself. */
const REQUEST_MAX_BYTES = 16 * 1024 * 1024;

/** Processes in other namespaces see other files, and other processes under the same pid. */
const spaces = (): string =>
  ['mnt', 'pid'].map((name) => attempt(() => readlinkSync(`/proc/self/ns/${name}`), '')).join(',');

export const greeting = (limit_s: number): string => `guard-warm 1 ${process.pid} ${spaces()} ${limit_s}\n`;

/** The process id in a server's greeting; null: it is not a greeting. */
export function greetedBy(text: string): number | null {
  const [, pid] = /^guard-warm \d+ (\d+) /.exec(text) ?? [];
  return pid === undefined ? null : Number(pid);
}

export type Environments = (text: string) => HookRequest['env'];

/** Agents that take turns, each with its own environment. */
const KEPT_MAX = 64;
const KEPT_CHARS = 65_536;

/** An agent's hooks have the same environment again and again. It is split once, and is then the same object. */
export function openEnvironments(): Environments {
  const known = new Map<string, HookRequest['env']>();
  return (text) => {
    const env = known.get(text) ?? environmentIn(text);
    if (text.length > KEPT_CHARS || known.has(text)) return env;
    if (known.size === KEPT_MAX) known.clear();
    known.set(text, env);
    return env;
  };
}

/** Null: the request is not complete yet. @throws Error for anything that no launcher sends */
export function readRequest(bytes: Buffer, environments: Environments): HookRequest | null {
  if (bytes.length < 4) return null;
  const length = bytes.readUInt32BE(0);
  if (length > REQUEST_MAX_BYTES) throw new Error(`a request of ${length} bytes`);
  if (bytes.length < 4 + length) return null;
  const fields: string[] = [];
  for (let at = 5; at < 4 + length;) {
    const end = at + 4 + bytes.readUInt32BE(at);
    fields.push(bytes.toString('utf8', at + 4, end));
    at = end;
  }
  const [id = '', cwd = '', env = '', event = ''] = fields;
  const kind = String.fromCharCode(bytes[4] ?? 0);
  if ((kind !== 'E' && kind !== 'S') || fields.length !== 4) throw new Error(`a request of kind ${kind}`);
  return { kind, id, cwd, env: environments(env), event };
}

/** Without a prototype, so that only the environment's own names exist, as in `process.env`. */
function environmentIn(text: string): Readonly<Record<string, string>> {
  const env = Object.create(null) as Record<string, string>;
  for (const one of text.split('\0')) {
    const at = one.indexOf('=', 1);
    if (at > 0) env[one.slice(0, at)] = one.slice(at + 1);
  }
  return env;
}

export function answerBytes({ exit, stdout, stderr }: Answer): Buffer {
  const [out, err] = [Buffer.from(stdout), Buffer.from(stderr)];
  return Buffer.concat([wordOf(exit), wordOf(out.length), out, wordOf(err.length), err]);
}

/** The request that asks a server to end. */
export const stopBytes = (): Buffer => Buffer.concat([wordOf(17), Buffer.from('S'), Buffer.alloc(16)]);

function wordOf(value: number): Buffer {
  const word = Buffer.alloc(4);
  word.writeUInt32BE(value);
  return word;
}
