/** Commands that only look, on behalf of no agent. */
import type { Workspace } from '../workspace/workspace.ts';
import { type Around, operatesAt } from './operate-at.ts';
import { withWorkspace } from './workspace.ts';

/** A command that only looks never waits, and is never told to release anything. */
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
