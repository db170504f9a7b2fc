/** The only opener of a store. Which engine it is, is said here and nowhere else. */
import { type EmbeddedOptions, openEmbedded } from './embedded/open.ts';
import type { Store } from './store.ts';

export interface StoreConfig extends EmbeddedOptions {
  /** The state directory: it exists. */
  readonly dir: string;
}

/** Touches nothing until it is used. */
export const openStore = ({ dir, ...options }: StoreConfig): Store => openEmbedded(dir, options);
