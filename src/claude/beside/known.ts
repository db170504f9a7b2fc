/** What an agent knows about files in other checkouts, in a separate file. If it is lost, the agent is notified once more. */
import { existsSync, readFileSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { asList, asObject, asText, parsedObject } from '../../core/json-object.ts';
import type { AgentId, RepoPath } from '../../core/types.ts';
import { replaceWithin } from '../../repo/replace-whole.ts';
import { SAFELY } from '../../repo/safely.ts';
import { fileName } from '../../workspace/baseline-file.ts';

export interface KnownBeside {
  /** The known contents and files on disk of each path, newest last; `-` means no file. */
  readonly marks: ReadonlyMap<RepoPath, readonly string[]>;
  /** The last known roots of checkouts. */
  readonly roots: ReadonlyMap<string, string>;
  /** Lines left over for the next step. */
  readonly rest: readonly string[];
  /** The last call that was given notes, and what they were about: pairs of path and checkout. */
  readonly told: { readonly op: string; readonly of: readonly string[] };
  /** The copies whose agents were notified that this agent edits the file, too: pairs of path and checkout. */
  readonly others: readonly string[];
}

/** 50 KB, which is about 40 files with 51 checkouts. */
const MARKS_MAX = 2_500;
const OTHERS_MAX = 200;

const NAME = 'beside.json';
const dirOf = (state_dir: string, agent: AgentId): string => `${state_dir}/baselines/${fileName(agent)}`;

export function readKnown(state_dir: string, agent: AgentId): KnownBeside {
  const file = `${dirOf(state_dir, agent)}/${NAME}`;
  const read = (): string => readFileSync(file, { encoding: 'utf8', flag: SAFELY as unknown as string });
  // At an agent's first edit there is no file, and an exception costs ten times as much as the check.
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

/** Keeps the files that were looked at last. */
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
