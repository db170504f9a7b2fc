/** Everything that an agent has seen. Used for denials, notices and sweeps, not for plain writes. */
import fs from 'node:fs';
import { attempt } from '../core/attempt.ts';
import type { Baseline } from '../core/rules/baseline.ts';
import type { AgentId, RepoPath } from '../core/types.ts';
import { namesIn } from '../repo/names-in.ts';
import { fileName } from './baseline-file.ts';
import { unsealLine } from '../store/sealed-line.ts';

export interface Seen {
  readonly path: RepoPath;
  readonly baseline: Baseline;
  /** When it was stored. */
  readonly at_ms: number;
  /** Differs for a different baseline. */
  readonly mark: string;
}

export const seenDir = (state_dir: string): string => `${state_dir}/seen`;
export const seenFile = (state_dir: string, agent: AgentId): string =>
  `${seenDir(state_dir)}/${fileName(agent)}.log`;

/** Every path once, newest first, followed by those of an earlier guard. Damaged lines are left out. */
export function* seenBy(state_dir: string, agent: AgentId): Generator<Seen, void> {
  const told = new Set<RepoPath>();
  for (const { line, at_ms } of linesOf(state_dir, agent)) {
    // Most lines of a log are about a path that has a newer one.
    if (told.has(pathAt(line))) continue;
    const { v, path, at, ...baseline } = unsealLine(`${line}\n`) ?? {};
    if (v !== 1 || typeof path !== 'string' || told.has(path)) continue;
    told.add(path);
    const written_ms = typeof at === 'number' ? at : at_ms();
    yield { path, baseline: baseline as unknown as Baseline, at_ms: written_ms, mark: line.slice(0, 8) };
  }
}

const BEGIN = '{"v":1,"path":"';
const SEAL_CHARS = 9;

/** The path that a line is about, without a check of the line; '' if that takes more than a look. */
function pathAt(line: string): RepoPath {
  const from = SEAL_CHARS + BEGIN.length;
  const path = line.startsWith(BEGIN, SEAL_CHARS) ? line.slice(from, line.indexOf('"', from)) : '';
  return path.includes('\\') ? '' : path;
}

interface Line {
  readonly line: string;
  /** For a line that does not contain its time. */
  readonly at_ms: () => number;
}

function* linesOf(state_dir: string, agent: AgentId): Generator<Line, void> {
  const lines = textIn(seenFile(state_dir, agent)).split('\n').slice(0, -1);
  for (const line of lines.reverse()) yield { line, at_ms: () => 0 };
  const dir = `${state_dir}/baselines/${fileName(agent)}`;
  const names = namesIn(dir).filter((name) => /^[0-9a-f]{16}\.json$/.test(name));
  const times = new Map(names.map((name) => [name, timeOf(`${dir}/${name}`)]));
  const timeAt = (name: string): number => times.get(name) ?? 0;
  for (const name of names.sort((a, b) => timeAt(b) - timeAt(a)))
    yield { line: textIn(`${dir}/${name}`).slice(0, -1), at_ms: () => timeAt(name) };
}

const textIn = (file: string): string => attempt(() => fs.readFileSync(file, 'utf8'), '');
const timeOf = (file: string): number =>
  attempt(() => fs.lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0, 0);

/** When the agent last saw this file; null if it never did. */
export function seenAt(state_dir: string, agent: AgentId, path: RepoPath): number | null {
  for (const one of seenBy(state_dir, agent)) if (one.path === path) return one.at_ms;
  return null;
}
