// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** For the hook's own bundle, which seldom keeps anything: what an agent writes over it has seen, as a rule. */
import { keep, type NamedTarget, type SeenBytes } from './kept.ts';
import type { HookSpace, Hook } from './context.ts';

export const keepLater = (hook: Hook, space: HookSpace, file: NamedTarget, seen: SeenBytes): void =>
  keep(hook, space, file, seen);
