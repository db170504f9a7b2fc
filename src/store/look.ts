import type { Key } from '../core/ledger.ts';
import type { Index, Listed, StoreLook } from './store.ts';

/** One moment of the ledger, from its parts. */
export const lookOf = (parts: Omit<StoreLook, 'get'>): StoreLook => ({
  ...parts,
  get: (key) => parts.states.get(key)?.state,
});

/** What tells a list from others that were asked for. */
export const listName = ({ below, since, most = 0, after }: Index): string =>
  `${since} ${most} ${below}${after === undefined ? '' : `\0${after}`}`;

/** Of a page; none of one that was not looked at yet, null where there are no pages. */
export const keysOf = (page: Listed | undefined): readonly Key[] | null => (page ? (page.keys ?? null) : []);

/** Whether a list with states has everything below its prefix, and so this key if it has a state. */
export const isCovered = ({ below, since, most, after }: Index, key: Key): boolean =>
  since === 0 && !most && after === undefined && key.startsWith(below);

export type LookData = Omit<StoreLook, 'get'>;

/** A question to a server costs more than a step on nothing, which says what to ask for first. What comes of it is not believed. */
export const BLANK: LookData = {
  states: new Map(),
  lists: [],
  tip: 0,
  now: { mono_ms: 0, wall_ms: 0, boot: '' },
};
