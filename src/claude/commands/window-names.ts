/**
 * The names of windows: `<hash>.json` while the command runs, `<hash>.ended.json` afterwards. A prompt and the end of a turn
 * only look for open ones, and reading a hundred that have ended took 2.5 ms.
 */
import type { AgentId } from '../../core/types.ts';
import { nameHash } from '../../repo/name-hash.ts';
import { namesIn } from '../../repo/names-in.ts';

export const windowsDir = (state_dir: string): string => `${state_dir}/windows`;

const OPEN = '.json';
const ENDED = '.ended.json';

export interface WindowNames {
  readonly open: string;
  readonly ended: string;
}

export function windowNamesOf(agent: AgentId, op: string): WindowNames {
  const hash = nameHash(`${agent}\n${op}`);
  return { open: `${hash}${OPEN}`, ended: endedName(`${hash}${OPEN}`) };
}

export const endedName = (name: string): string => `${name.slice(0, -OPEN.length)}${ENDED}`;

export interface ListedWindows {
  /** One name for each window. */
  readonly all: readonly string[];
  /** Those that may be open. */
  readonly open: readonly string[];
  /** Left by a process that was killed while it ended them. */
  readonly left: readonly string[];
}

export function listWindows(state_dir: string): ListedWindows {
  const names = namesIn(windowsDir(state_dir)).filter((name) => name.endsWith(OPEN));
  const ended = new Set(names.filter((name) => name.endsWith(ENDED)));
  const isLeft = (name: string): boolean => ended.size > 0 && ended.has(endedName(name));
  const all = names.filter((name) => !isLeft(name));
  return { all, open: all.filter((name) => !ended.has(name)), left: names.filter(isLeft) };
}
