/**
 * The time in which a command of an agent runs, as one small file beside the ledger: `windows/<name>.json`, made before it,
 * given an end after it, and kept for a while, so that a change can be laid to whoever was at work. No lock and no
 * transaction: each file has one agent that writes it, and one that cannot be read tells nothing.
 */
import { isObject, parsedObject } from '../../core/json-object.ts';
import fs from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import type { Span } from '../../core/drift.ts';
import type { AgentId, RepoPath } from '../../core/types.ts';
import { namesIn } from '../../repo/names-in.ts';
import { nameHash } from '../../repo/name-hash.ts';
import { replaceWhole } from '../../repo/replace-whole.ts';
import { textOf } from '../../repo/small-file.ts';

export interface WindowFile extends Span {
  readonly v: 1;
  /** The client's id of what runs on in the background; null: in the foreground, or not known yet. */
  readonly task: string | null;
  readonly in_background: boolean;
  /** Files that the line may show, with their stamps (commands/seen.ts). */
  readonly candidates: Readonly<Record<string, string>>;
  /** Files of which only mode, owner or times change. */
  readonly marked?: readonly RepoPath[];
  /** No event told when the command ended: an interrupt, a refusal. It ended earlier than this says. */
  readonly unheard?: true;
}

/** One with this many candidates and targets is some 200 KB. */
const MAX_BYTES = 1 << 20;
const TARGETS_MAX = 1_000;
/** More lie there only where somebody else puts them there. */
export const READ_MAX = 1_024;
const SWEPT_ABOVE = 64;
/** One more lies there after every command. */
const SWEPT_EACH = 32;

export const windowsDir = (state_dir: string): string => `${state_dir}/windows`;
const fileOf = (state_dir: string, agent: AgentId, op: string): string =>
  `${windowsDir(state_dir)}/${nameHash(`${agent}\n${op}`)}.json`;

/** Twice for one call (settings and plugin may both run this hook): the first counts. */
export function putWindow(state_dir: string, window: WindowFile): void {
  const file = fileOf(state_dir, window.agent, window.op);
  const text = JSON.stringify({ ...window, targets: window.targets?.slice(0, TARGETS_MAX) ?? null });
  try {
    write(file, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') return;
    // Not made by two at once, nor where the state directory itself has gone: then nobody can be told apart anyway.
    try {
      fs.mkdirSync(windowsDir(state_dir), { mode: 0o700 });
    } catch (made) {
      if ((made as NodeJS.ErrnoException).code !== 'EEXIST') return;
    }
    write(file, text);
  }
}

const write = (file: string, text: string): void => fs.writeFileSync(file, text, { mode: 0o600, flag: 'wx' });

export const windowOf = (state_dir: string, agent: AgentId, op: string): WindowFile | null =>
  readWindow(fileOf(state_dir, agent, op));

/** Its end, or what is known of it now. What cannot be written stays open, and is swept. */
export function changeWindow(state_dir: string, window: WindowFile): void {
  attempt(() => replaceWhole(fileOf(state_dir, window.agent, window.op), JSON.stringify(window)), undefined);
}

/** Every window that can be read; the newest end of what is there is enough to lay a change to somebody. */
export function windowsIn(state_dir: string): readonly WindowFile[] {
  return namesIn(windowsDir(state_dir))
    .slice(0, READ_MAX)
    .map((name) => readWindow(`${windowsDir(state_dir)}/${name}`))
    .filter((one) => one !== null);
}

/** Those of this agent that count as open, given their end. `which` picks. */
export function endWindows(state_dir: string, now_ms: number, which: (window: WindowFile) => boolean): void {
  for (const window of windowsIn(state_dir))
    if (window.until_ms === null && which(window))
      changeWindow(state_dir, { ...window, until_ms: now_ms, unheard: true });
}

/** All of them are read to sweep them, so at some commands only, unless there are more than anybody would read. */
export function isCrowded(state_dir: string): boolean {
  const { length } = namesIn(windowsDir(state_dir));
  return length > SWEPT_ABOVE && (length % SWEPT_EACH === 0 || length > READ_MAX);
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Null: half written, or somebody else's. */
export function readWindow(file: string): WindowFile | null {
  const read = parsedObject(textOf(file, MAX_BYTES));
  const { v, agent, op, since_ms, until_ms, targets, candidates, marked } = read;
  const isWhole =
    v === 1 &&
    typeof agent === 'string' &&
    typeof op === 'string' &&
    isTime(since_ms) &&
    (until_ms === null || isTime(until_ms)) &&
    (targets === null || (Array.isArray(targets) && targets.every((path) => typeof path === 'string'))) &&
    isObject(candidates) &&
    (marked === undefined || Array.isArray(marked));
  return isWhole ? (read as unknown as WindowFile) : null;
}
