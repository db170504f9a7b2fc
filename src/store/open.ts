/** The only way to open a store. The configuration alone determines the engine. */
import { type LocalConfig, openEmbedded } from './embedded/open.ts';
import { openShared, type SharedConfig } from './open-shared.ts';
import type { Store } from './store.ts';

export type { LocalConfig } from './embedded/open.ts';
export { openRemembered } from './embedded/remembered.ts';
export type { SharedConfig } from './open-shared.ts';

/** An address (`url`) selects a shared engine by its scheme (`shared-engines.ts`), a directory the embedded one. */
export type StoreConfig = LocalConfig | SharedConfig;

/** Touches nothing until it is used, and loads only the engine it needs. */
export const openStore = (config: StoreConfig): Store =>
  'url' in config ? openShared(config) : openEmbedded(config);
