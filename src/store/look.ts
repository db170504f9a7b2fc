import type { StoreLook } from './store.ts';

/** One moment of the ledger, from its parts. */
export const lookOf = (parts: Omit<StoreLook, 'get'>): StoreLook => ({
  ...parts,
  get: (key) => parts.states.get(key)?.state,
});
