/** All agents in a repository with what they do, hold and wait for, now or at any moment that the ledger knows. */
import { everybodysNames } from './called.ts';
import { dated } from './dated-waits.ts';
import { draftsIn, type DraftState } from './drafts.ts';
import type { View } from './ledger.ts';
import { openCommands } from './open-commands.ts';
import { statusOf } from './report.ts';
import type { Facts } from './types.ts';

export type SceneSeen = ReturnType<typeof sceneIn>;

export function sceneIn(view: View, facts: Facts) {
  const { agents, leases, reservations, waits, cycles } = statusOf(view, facts);
  const names = everybodysNames(view);
  const drafts = new Map(draftsIn(view).map((draft) => [draft.id, draft]));
  return {
    agents: agents.map((agent) => ({
      ...agent,
      name: names.get(agent.agent) ?? agent.agent,
      drafted: draftedAs(drafts.get(agent.agent)),
    })),
    ...{ leases, reservations, waits: dated(view, waits), cycles },
    commands: openCommands(view, facts),
  };
}

/** The work it was started for, if guard started it. */
const draftedAs = (draft: DraftState | undefined) =>
  draft === undefined ? null : { role: draft.role, task: draft.task, doing: draft.doing ?? null };
