/**
 * The time in which a command of an agent runs, as one small file beside the ledger: `windows/<name>.json`, made before it,
 * given an end after it, and kept for a while, so that a change can be laid to whoever was at work. No lock and no
 * transaction: each file has one agent that writes it, and one that cannot be read tells nothing.
 */
import fs from 'node:fs';
import type { Span } from '../../core/drift.ts';
import type { AgentId, RepoPath } from '../../core/types.ts';
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
}

/** One with this many candidates and targets is some 200 KB. */
const MAX_BYTES = 1 << 20;
const TARGETS_MAX = 1_000;
/** As long as a change that nobody looked at yet can be laid to somebody. */
const KEPT_MS = 30 * 60_000;
/** Of what never ended: a client that was killed. */
const OPEN_MS = 24 * 3_600_000;
const FILES_MAX = 256;
/** One more lies there after every command. */
const SWEPT_EACH = 32;

const dirOf = (state_dir: string): string => `${state_dir}/windows`;
const fileOf = (state_dir: string, agent: AgentId, op: string): string =>
  `${dirOf(state_dir)}/${nameHash(`${agent}\n${op}`)}.json`;

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
      fs.mkdirSync(dirOf(state_dir), { mode: 0o700 });
    } catch (made) {
      if ((made as NodeJS.ErrnoException).code !== 'EEXIST') return;
    }
    write(file, text);
  }
}

const write = (file: string, text: string): void => fs.writeFileSync(file, text, { mode: 0o600, flag: 'wx' });

export const windowOf = (state_dir: string, agent: AgentId, op: string): WindowFile | null =>
  parse(textOf(fileOf(state_dir, agent, op), MAX_BYTES));

/** Its end, or what is known of it now. What cannot be written stays open, and is swept. */
export function changeWindow(state_dir: string, window: WindowFile): void {
  try {
    replaceWhole(fileOf(state_dir, window.agent, window.op), JSON.stringify(window));
  } catch {
    // Said above.
  }
}

/** Every window that can be read; the newest end of what is there is enough to lay a change to somebody. */
export function windowsIn(state_dir: string): readonly WindowFile[] {
  return namesIn(dirOf(state_dir))
    .slice(0, 4 * FILES_MAX)
    .map((name) => parse(textOf(`${dirOf(state_dir)}/${name}`, MAX_BYTES)))
    .filter((one) => one !== null);
}

function namesIn(dir: string): string[] {
  try {
    return fs.readdirSync(dir);
  } catch {
    return [];
  }
}

/** Those of this agent that count as open, given their end. `which` picks. */
export function endWindows(state_dir: string, now_ms: number, which: (window: WindowFile) => boolean): void {
  for (const window of windowsIn(state_dir))
    if (window.until_ms === null && which(window)) changeWindow(state_dir, { ...window, until_ms: now_ms });
}

/**
 * By age and by number; what cannot be read goes by its file's age. With `above`, only where there are more, and then at some
 * commands: all of them are read for it.
 */
export function sweepWindows(state_dir: string, now_ms: number, above = 0): void {
  const dir = dirOf(state_dir);
  const names = namesIn(dir);
  if (names.length <= above || (above > 0 && names.length % SWEPT_EACH !== 0)) return;
  const aged = names.map((name) => ({ name, ...ageOf(`${dir}/${name}`) }));
  const old = aged.filter(({ is_open, at_ms }) => Math.abs(now_ms - at_ms) > (is_open ? OPEN_MS : KEPT_MS));
  const young = aged.filter((one) => !old.includes(one)).sort((a, b) => b.at_ms - a.at_ms);
  const excess = young.filter(({ is_open }) => !is_open).slice(FILES_MAX);
  for (const { name } of [...old, ...excess, ...young.slice(4 * FILES_MAX)])
    fs.rmSync(`${dir}/${name}`, { force: true });
}

function ageOf(file: string): { readonly at_ms: number; readonly is_open: boolean } {
  const window = parse(textOf(file, MAX_BYTES));
  if (window !== null)
    return { at_ms: window.until_ms ?? window.since_ms, is_open: window.until_ms === null };
  return { at_ms: fs.lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0, is_open: false };
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Null: half written, or somebody else's. */
function parse(text: string | null): WindowFile | null {
  if (text === null) return null;
  try {
    const read = JSON.parse(text) as Partial<WindowFile> | null;
    const { v, agent, op, since_ms, until_ms, targets, candidates, marked } = read ?? {};
    const isWhole =
      v === 1 &&
      typeof agent === 'string' &&
      typeof op === 'string' &&
      isTime(since_ms) &&
      (until_ms === null || isTime(until_ms)) &&
      (targets === null || (Array.isArray(targets) && targets.every((path) => typeof path === 'string'))) &&
      typeof candidates === 'object' &&
      (candidates as unknown) !== null &&
      (marked === undefined || Array.isArray(marked));
    return isWhole ? (read as WindowFile) : null;
  } catch {
    return null;
  }
}
