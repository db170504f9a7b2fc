// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Writes that began under cached leases, about which a shared ledger has not been asked. */
import type { AgentId, RepoPath } from '../../core/types.ts';
import { lateFiles } from './late-file.ts';

/** The files that these agents wrote so in this clone. The next look at the ledger takes them in, unless it fails. */
export const unaskedWrites = (state_dir: string, isBy: (agent: AgentId) => boolean): readonly RepoPath[] => [
  ...new Set(
    lateFiles(state_dir).flatMap((file) => {
      if (file.kind !== 'step' || file.step.event.type !== 'write.begin') return [];
      const { who, targets } = file.step.event;
      return isBy(who.id) ? targets.map(({ path }) => path) : [];
    }),
  ),
];
