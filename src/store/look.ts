import type { Key } from '../core/ledger.ts';
import type { Index, Listed, StoreLook } from './store.ts';

/** Builds a look from its parts. */
export const lookOf = (parts: Omit<StoreLook, 'get'>): StoreLook => ({
  ...parts,
  get: (key) => parts.states.get(key)?.state,
});

/** Identifies a list among those that were asked for. */
export const listName = ({ below, since, most = 0, after }: Index): string =>
  `${since} ${most} ${below}${after === undefined ? '' : `\0${after}`}`;

/** The keys of a page: none if it has not been looked at yet, null if the engine has no pages. */
export const keysOf = (page: Listed | undefined): readonly Key[] | null => (page ? (page.keys ?? null) : []);

/** Whether a list with states covers everything below its prefix, and so this key, if it has a state. */
export const isCovered = ({ below, since, most, after }: Index, key: Key): boolean =>
  since === 0 && !most && after === undefined && key.startsWith(below);

export type LookData = Omit<StoreLook, 'get'>;

/** An empty look. Running a step on it shows what to ask for, which is cheaper than a round trip; its answer is not used. */
export const BLANK: LookData = {
  states: new Map(),
  lists: [],
  tip: 0,
  now: { mono_ms: 0, wall_ms: 0, boot: '' },
};
