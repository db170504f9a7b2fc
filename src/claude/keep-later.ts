// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** For the hook's own bundle, which rarely keeps anything, because an agent has usually seen what it overwrites. */
import { keep, type NamedTarget, type SeenBytes } from './kept.ts';
import type { HookSpace, Hook } from './context.ts';

export const keepLater = (hook: Hook, space: HookSpace, file: NamedTarget, seen: SeenBytes): void =>
  keep(hook, space, file, seen);
