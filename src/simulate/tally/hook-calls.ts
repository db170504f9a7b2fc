/** How many hook processes the client would have started, by the table of hooks that `guard init` installs. */
import { hookTable, type HookTable } from '../../install/entries.ts';
import { matcherMatches } from '../../install/matcher.ts';

export interface HookCalls {
  readonly note: (event: string, tool?: string) => void;
  readonly total: () => number;
  readonly by_event: () => Readonly<Record<string, number>>;
}

export function openHookCalls(): HookCalls {
  const table: HookTable = hookTable('guard', 'all');
  const known = new Map<string, number>();
  const counts = new Map<string, number>();
  const matching = (event: string, tool: string): number => {
    const name = `${event} ${tool}`;
    const found =
      known.get(name) ??
      (table[event] ?? []).filter(({ matcher }) => matcherMatches(matcher ?? null, tool)).length;
    known.set(name, found);
    return found;
  };
  return {
    note: (event, tool = '') => void counts.set(event, (counts.get(event) ?? 0) + matching(event, tool)),
    total: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    by_event: () => Object.fromEntries([...counts].filter(([, count]) => count > 0).sort()),
  };
}
