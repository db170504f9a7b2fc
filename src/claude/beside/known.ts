/** What an agent knows of files in other checkouts: in a file of its own. Lost, it is told once more. */
import { existsSync, readFileSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { asList, asObject, asText, parsedObject } from '../../core/json-object.ts';
import type { AgentId, RepoPath } from '../../core/types.ts';
import { replaceWithin } from '../../repo/replace-whole.ts';
import { SAFELY } from '../../repo/safely.ts';
import { fileName } from '../../workspace/baseline-file.ts';

export interface KnownBeside {
  /** Of each file the contents and the files on disk that are no news: `-` is no file. The newest last. */
  readonly marks: ReadonlyMap<RepoPath, readonly string[]>;
  /** Of checkouts, where they were last. */
  readonly roots: ReadonlyMap<string, string>;
  /** What was left over, to be told at the next step. */
  readonly rest: readonly string[];
  /** The call before which somebody was told, and of whom: each a path and a checkout. */
  readonly told: { readonly op: string; readonly of: readonly string[] };
  /** Whose agents were told that this one edits the file, too: each a path and a checkout. */
  readonly others: readonly string[];
}

/** 50 KB; of 51 checkouts some 40 files. */
const MARKS_MAX = 2_500;
const OTHERS_MAX = 200;

const NAME = 'beside.json';
const dirOf = (state_dir: string, agent: AgentId): string => `${state_dir}/baselines/${fileName(agent)}`;

export function readKnown(state_dir: string, agent: AgentId): KnownBeside {
  const file = `${dirOf(state_dir, agent)}/${NAME}`;
  const read = (): string => readFileSync(file, { encoding: 'utf8', flag: SAFELY as unknown as string });
  // An agent's first edit has none, and an exception costs ten times the look.
  const text = existsSync(file) ? attempt(read, null) : null;
  const { marks, roots, rest, told, others } = parsedObject(text);
  const { op, of } = asObject(told);
  return {
    marks: new Map(rowsIn(marks).map(([path = '', ...each]) => [path, each])),
    roots: new Map(rowsIn(roots).map(([id = '', root = '']) => [id, root])),
    rest: textsIn(rest),
    told: { op: asText(op), of: textsIn(of) },
    others: textsIn(others),
  };
}

const rowsIn = (value: unknown): readonly (readonly string[])[] => asList(value).map(textsIn);
const textsIn = (value: unknown): readonly string[] => asList(value).map(asText);

/** The files that were looked at last stay. */
export function writeKnown(
  state_dir: string,
  agent: AgentId,
  { marks, roots, rest, told, others }: KnownBeside,
): void {
  let left = MARKS_MAX;
  const kept = [...marks].reverse().filter(([, each]) => (left -= each.length) >= 0);
  const rows = kept.reverse().map(([path, each]) => [path, ...each]);
  const content = { marks: rows, roots: [...roots], rest, told, others: others.slice(-OTHERS_MAX) };
  replaceWithin(dirOf(state_dir, agent), NAME, JSON.stringify(content), true);
}
