import type { Look } from './store.ts';

/** One moment of the ledger, from its parts. */
export const lookOf = (parts: Omit<Look, 'get'>): Look => ({
  ...parts,
  get: (key) => parts.states.get(key)?.state,
});
