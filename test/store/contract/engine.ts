/** What the contract suite needs from an engine. `<name>.engine.ts` exports it as `engine`. */
import type { Pace, Store } from '../../../src/store/store.ts';

export type AnyStore = Store<Pace>;

export interface Engine {
  readonly name: string;
  /** The path of the engine's file relative to the repository, for child processes. */
  readonly module: string;
  /** Whether several processes can open one place. If not, the races run inside one process. */
  readonly processes: boolean;
  /** Whether this machine has what the engine needs; reports what is missing. Absent if it needs nothing. */
  canRun?(): boolean;
  /** Creates a place with an empty store; the string is passed to child processes. */
  makePlace(): Promise<string>;
  removePlace(place: string): Promise<void>;
  open(place: string): AnyStore;
}
