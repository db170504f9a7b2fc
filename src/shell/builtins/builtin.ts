/** A command that changes the shell itself. */
import type { Call } from '../call.ts';
import type { Here } from '../here.ts';
import type { World } from '../world.ts';

export interface Running {
  readonly call: Call;
  readonly world: World;
  readonly here: Here;
}

/** An empty result means that the shell ends. */
export type Builtin = (running: Running) => readonly World[];
