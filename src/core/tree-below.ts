/** A tree of drafted agents. Pure. */
import type { DraftState } from './drafts.ts';
import { grouped } from './grouped.ts';
import type { AgentId } from './types.ts';

/** The agent and all agents drafted below it, parents first. */
export function treeBelow(all: readonly DraftState[], id: AgentId): DraftState[] {
  const children = grouped(all, ({ parent }) => parent);
  const below = (one: AgentId): DraftState[] =>
    (children.get(one) ?? []).flatMap((child) => [child, ...below(child.id)]);
  return [...all.filter((draft) => draft.id === id), ...below(id)];
}
