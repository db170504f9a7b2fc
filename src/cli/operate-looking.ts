/** Commands that only look: for nobody in particular. */
import type { Workspace } from '../workspace/workspace.ts';
import { type Around, operatesAt } from './operate-at.ts';
import { withWorkspace } from './workspace.ts';

/** Whoever only looks waits for nothing, and is told to let go of nothing. */
export const ONLY_LOOKS: Around = {
  waiters: {
    join() {
      throw new Error('whoever only looks waits for nothing');
    },
  },
  release: () => '',
};

export const looks = operatesAt<Workspace>({
  acts: false,
  open: (shell, _, work) => withWorkspace(shell, (space) => work(space, ONLY_LOOKS)),
});
