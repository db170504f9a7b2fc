/**
 * The time in which an agent's command runs, as one small file next to the ledger (window-names.ts). It is created
 * before the command, gets its end after it, and is kept for a while, so that a change can be attributed to the agent that
 * was at work. It needs no lock and no transaction: each file has a single writing agent, and an unreadable file is ignored.
 */
import { isObject, parsedObject } from '../../core/json-object.ts';
import fs from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import type { Span } from '../../core/drift.ts';
import type { AgentId, RepoPath } from '../../core/types.ts';
import { namesIn } from '../../repo/names-in.ts';
import { replaceWhole } from '../../repo/replace-whole.ts';
import { textOf } from '../../repo/small-file.ts';
import { endedName, listWindows, windowNamesOf, windowsDir } from './window-names.ts';

export interface WindowFile extends Span {
  readonly v: 1;
  /** The client's id of a background task; null in the foreground, or if it is not known yet. */
  readonly task: string | null;
  readonly in_background: boolean;
  /** Files that the line may show, with their stamps (commands/seen.ts). */
  readonly candidates: Readonly<Record<string, string>>;
  /** Files of which only the mode, owner or times change. */
  readonly marked?: readonly RepoPath[];
  /** No event reported the end (an interrupt, a refusal), so the command ended earlier than recorded here. */
  readonly unheard?: true;
}

/** A window with this many candidates and targets is about 200 KB. */
const MAX_BYTES = 1 << 20;
const TARGETS_MAX = 1_000;
/** There are more only if another program puts them there. */
export const READ_MAX = 1_024;
const SWEPT_ABOVE = 64;
/** Every command adds one. */
const SWEPT_EACH = 32;

/** If called twice for one call (settings and plugin may both run this hook), the first counts. */
export function putWindow(state_dir: string, window: WindowFile): void {
  const file = `${windowsDir(state_dir)}/${windowNamesOf(window.agent, window.op).open}`;
  const text = JSON.stringify({ ...window, targets: window.targets?.slice(0, TARGETS_MAX) ?? null });
  try {
    write(file, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') return;
    // Another process may create it at the same time. If the state directory itself is gone, nothing can be attributed anyway.
    try {
      fs.mkdirSync(windowsDir(state_dir), { mode: 0o700 });
    } catch (made) {
      if ((made as NodeJS.ErrnoException).code !== 'EEXIST') return;
    }
    write(file, text);
  }
}

const write = (file: string, text: string): void => fs.writeFileSync(file, text, { mode: 0o600, flag: 'wx' });

/** A window of which both files exist has ended. */
export function windowOf(state_dir: string, agent: AgentId, op: string): WindowFile | null {
  const { open, ended } = windowNamesOf(agent, op);
  const dir = windowsDir(state_dir);
  return readWindow(`${dir}/${ended}`) ?? readWindow(`${dir}/${open}`);
}

/** Records its end or its current state. A window that cannot be written stays open until it is swept. */
export function changeWindow(state_dir: string, window: WindowFile): void {
  const { open, ended } = windowNamesOf(window.agent, window.op);
  const dir = windowsDir(state_dir);
  attempt(() => {
    replaceWhole(`${dir}/${window.until_ms === null ? open : ended}`, JSON.stringify(window));
    // It may have been ended before. Not `rmSync`, which looks at the file twice.
    if (window.until_ms !== null) fs.unlinkSync(`${dir}/${open}`);
  }, undefined);
}

/** All readable windows; at the limit, some of them are enough to attribute a change. */
export const windowsIn = (state_dir: string): readonly WindowFile[] =>
  readAll(state_dir, listWindows(state_dir).all);

/** Ends the open windows that `which` selects. */
export function endWindows(state_dir: string, now_ms: number, which: (window: WindowFile) => boolean): void {
  const { open, left } = listWindows(state_dir);
  for (const name of left) fs.rmSync(`${windowsDir(state_dir)}/${name}`, { force: true });
  for (const window of readAll(state_dir, open))
    if (window.until_ms === null && which(window))
      changeWindow(state_dir, { ...window, until_ms: now_ms, unheard: true });
}

const readAll = (state_dir: string, names: readonly string[]): readonly WindowFile[] =>
  names
    .slice(0, READ_MAX)
    .map((name) => readListed(`${windowsDir(state_dir)}/${name}`))
    .filter((one) => one !== null);

/** A sweep reads all of them, so it runs only after some of the commands, unless there are more than are ever read. */
export function isCrowded(state_dir: string): boolean {
  const { length } = namesIn(windowsDir(state_dir));
  return length > SWEPT_ABOVE && (length % SWEPT_EACH === 0 || length > READ_MAX);
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** One that was open when it was listed may have ended since, and then has its other name. */
export const readListed = (file: string): WindowFile | null =>
  readWindow(file) ?? readWindow(endedName(file));

/** Null if it is half written or not a window. */
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
