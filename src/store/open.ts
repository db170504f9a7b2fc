/** The only opener of a store. Which engine it is follows from the configuration, here and nowhere else. */
import { type LocalConfig, openEmbedded } from './embedded/open.ts';
import { openShared, type SharedConfig } from './open-shared.ts';
import type { Store } from './store.ts';

export type { LocalConfig } from './embedded/open.ts';
export type { SharedConfig } from './open-shared.ts';

/** An address (`url`) names an engine that machines share, by its scheme (`shared-engines.ts`); a directory the embedded one. */
export type StoreConfig = LocalConfig | SharedConfig;

/** Touches nothing until it is used; what an engine does not need is not loaded. */
export const openStore = (config: StoreConfig): Store =>
  'url' in config ? openShared(config) : openEmbedded(config);
