/** What `guard serve` serves: this repository, for as long as the server lives. */
import type { ServedProject } from '../http/app.ts';
import { ATTEMPT_MS } from '../http/wait-in-line.ts';
import { openClock } from '../repo/clock.ts';
import { openDeaths } from '../repo/process.ts';
import { checkedId } from './agent-id.ts';
import { outsider } from './caller.ts';
import { workspaceAround } from './workspace.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Shell } from './shell.ts';
import { openRemembered } from '../store/open.ts';

type About = Pick<ServedProject, 'version' | 'document' | 'sessionsToo'>;

/** How often the configuration is reread and the repository looked up again. */
const RENEW_MS = 1_000;

export function servedProject(shell: Shell, about: About): ServedProject {
  const [now, isDead, remembered] = [openClock(), openDeaths(), openRemembered()];
  const mono_ms = (): number => now().mono_ms;
  return {
    ...about,
    workspace: renewed(mono_ms, () =>
      workspaceAround(shell, [], { now, isDead, remembered, lock_deadline_ms: ATTEMPT_MS }),
    ),
    who: (id) => outsider(checkedId(id, 'X-Agent-ID')),
    nobody: outsider('?'),
    mono_ms,
    complain: (error) =>
      shell.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`),
  };
}

/** A ledger has no file open between two operations, so an old one needs no closing; a wait may still be using it. */
function renewed(mono_ms: () => number, open: () => Workspace): () => Workspace {
  const kept: { space: Workspace | null; since_ms: number } = { space: null, since_ms: 0 };
  return () => {
    if (kept.space === null || mono_ms() - kept.since_ms >= RENEW_MS) {
      kept.space = null;
      kept.space = open();
      kept.since_ms = mono_ms();
    }
    return kept.space;
  };
}
