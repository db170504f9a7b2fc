/** guard's instructions to an agent, taken literally. */
import type { ToolResult } from './messages.ts';
import { type Answer, bash, edit, use } from './scenario.ts';

/** One write: the tool call, computed from the text of the file as the agent last read it. */
export interface Job {
  readonly file: string;
  /** `file`: its current place, if the agent was told that it moved. */
  readonly write: (text: string, file: string) => Answer;
}

/** One step of `details.next`. `leave`: the write can be skipped. `unclear`: an agent cannot carry it out as worded. */
export type Step =
  | { readonly kind: 'call'; readonly answer: Answer; readonly locks: boolean }
  | { readonly kind: 'read'; readonly files: readonly string[] }
  | { readonly kind: 'pause' }
  | { readonly kind: 'leave' }
  | { readonly kind: 'unclear'; readonly text: string };

const COMMAND = /^(?:node |\/\S*node |git |\S*guard(?:\.[cm]js)? )/;
const TOOL = /^(mcp__\w+) (\{[\s\S]*\})$/;
const LOCK_COMMAND = / lock (?:try|wait) /;
const LOCK_TOOL = /__lock_(?:try|wait)$/;

export function stepOf(text: string): Step {
  const [, tool, input] = TOOL.exec(text) ?? [];
  if (tool !== undefined && input !== undefined)
    return { kind: 'call', answer: use(tool, JSON.parse(input)), locks: LOCK_TOOL.test(tool) };
  if (COMMAND.test(text)) return { kind: 'call', answer: bash(text), locks: LOCK_COMMAND.test(text) };
  if (text.startsWith('Leave it')) return { kind: 'leave' };
  if (text.startsWith('Read ') && pathsIn(text).length > 0) return { kind: 'read', files: pathsIn(text) };
  return /^(?:Wait|Try again)\b/.test(text) ? { kind: 'pause' } : { kind: 'unclear', text };
}

/** Absolute paths; in these tests they contain no blanks. */
export const pathsIn = (text: string): readonly string[] => [
  ...new Set(Array.from(text.matchAll(/(?<![\w.])\/[^\s"'`,;:()]+/g), ([path]) => path.replace(/\.$/, ''))),
];

/** What a lock command or lock tool answers. */
export interface LockAnswer {
  readonly all: boolean;
  /** The agent was chosen as the victim of a deadlock. */
  readonly victim: boolean;
  /** The exact release to run; `null` if the lock has already been taken from it. */
  readonly release: string | null;
  readonly locked: readonly string[];
  /** Files to read again before writing them. */
  readonly changed: readonly string[];
}

interface Row {
  readonly filepath: string;
  readonly acquired: boolean;
  readonly error?: string;
  readonly changed?: unknown;
  readonly deadlock?: { readonly release: string };
}

interface Told {
  readonly all_acquired: boolean;
  readonly results: readonly Row[];
}

export function lockAnswerOf({ text, is_error }: ToolResult): LockAnswer {
  const json = /^(?:Exit code 1\n)?(?=\{)/.exec(text);
  if (json === null) return inWords(text, is_error);
  const { all_acquired, results } = JSON.parse(text.slice(json[0].length)) as Told;
  return {
    all: all_acquired,
    victim: results.some(({ error }) => error === 'DEADLOCK'),
    locked: results.filter(({ acquired }) => acquired).map(({ filepath }) => filepath),
    release: results.find(({ deadlock }) => deadlock !== undefined)?.deadlock?.release ?? null,
    changed: results.filter(({ changed }) => Boolean(changed)).map(({ filepath }) => filepath),
  };
}

function inWords(text: string, is_error: boolean): LockAnswer {
  // 0: it has everything it asked for; 1: not everything; anything else: guard failed, which no obedience fixes.
  if (is_error && !text.startsWith('Exit code 1\n')) throw new Error(text);
  const [, release = null] = /chosen to give way\. Run: (.+)$/m.exec(text) ?? [];
  const lines = text.split('\n').filter((line) => /changed since|read (?:it|them) again/i.test(line));
  const named = lines.flatMap((line) => /^locked +(\S+) \(/.exec(line)?.[1] ?? pathsIn(line));
  const locked = Array.from(text.matchAll(/^locked +(\S+)/gm), ([, file = '']) => file);
  return {
    all: !is_error,
    victim: /chosen to give way|\(DEADLOCK\)/.test(text),
    release,
    locked,
    changed: named,
  };
}

/** The same call as a wait, for files that a try did not get. */
export function waitInstead(answer: Answer): Answer {
  const [call] = answer.tools ?? [];
  const input = call?.input as { readonly command?: string } | undefined;
  if (input?.command !== undefined) return bash(input.command.replace(' lock try ', ' lock wait '));
  return use((call?.name ?? '').replace(/lock_try$/, 'lock_wait'), { timeout_seconds: 30, ...input });
}

/** The release a victim is told to make: a command line, or a call of a tool of the server it waits at. */
export function releaseIn(text: string, server: string): Answer {
  const [, tool, input] = /^((?:mcp__\w+__)?lock_release) (\{.*\})$/.exec(text) ?? [];
  if (tool === undefined || input === undefined) return bash(text);
  return use(tool.startsWith('mcp__') ? tool : `${server}${tool}`, JSON.parse(input));
}

/** How the texts say to lock: the command or the tool, without files. */
export function lockingIn(texts: readonly string[]): string | null {
  const text = texts.join('\n');
  const [, command] = HOW.exec(text) ?? [];
  const [, tool] = /(mcp__\w+__lock_)(?:try|wait)\b/.exec(text) ?? [];
  return tool === undefined ? (command?.replace(' lock wait', ' lock try') ?? null) : `${tool}try`;
}

const HOW =
  /((?:(?:node|\/[\w./-]*node) )?[\w./~+-]*guard(?:\.[cm]js)? lock (?:try|wait)(?: --agent \S+)?)(?= )/;

/** Whether the answer is a wait. */
export const isWait = (answer: Answer): boolean => / lock wait |__lock_wait"/.test(JSON.stringify(answer));

export const lockAll = (locking: string, files: readonly string[]): Answer =>
  locking.startsWith('mcp__') ? use(locking, { filepaths: files }) : bash(`${locking} ${files.join(' ')}`);

export const releaseAll = (locking: string, files: readonly string[]): Answer =>
  locking.startsWith('mcp__')
    ? use(locking.replace(/lock_try$/, 'lock_release'), { filepaths: files })
    : bash(`${locking.replace(' lock try', ' lock release')} ${files.join(' ')}`);

/** A job that replaces one text of a file. */
export const replace = (file: string, from: string, to: string): Job => ({
  file,
  write: (_text, at) => edit(at, from, to),
});

/** The files that a lock call names; if it has no absolute path, an empty name, which is never locked. */
export function filesIn(answer: Answer): readonly string[] {
  const input = answer.tools?.[0]?.input as {
    readonly command?: string;
    readonly filepaths?: readonly string[];
  };
  const [, words = ''] = / lock (?:try|wait) (.*)$/.exec(input.command ?? '') ?? [];
  const files = input.filepaths ?? pathsIn(words);
  return files.length > 0 ? files : [''];
}
