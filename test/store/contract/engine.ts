/** What the contract suite needs to know of an engine. `<name>.engine.ts` exports it as `engine`. */
import type { Pace, Store } from '../../../src/store/store.ts';

export type AnyStore = Store<Pace>;

export interface Engine {
  readonly name: string;
  /** Its own path from the repository's root, for child processes. */
  readonly module: string;
  /** Several processes can open one place. Engines that live in one process run the same races inside it. */
  readonly processes: boolean;
  /** Whether this machine has what it needs; says so where it does not. Absent: it needs nothing. */
  canRun?(): boolean;
  /** A new place with an empty store, as a string that child processes understand. */
  makePlace(): Promise<string>;
  removePlace(place: string): Promise<void>;
  open(place: string): AnyStore;
}
