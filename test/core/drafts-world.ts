/** A ledger of drafted agents, for the rules about their queue. */
import { DEFAULT_LIMITS } from '../../src/core/agent-limits.ts';
import { draftKey, type DraftState, type Ending } from '../../src/core/drafts.ts';
import { queuePlaces } from '../../src/core/queue-words.ts';
import type { DraftBegin } from '../../src/core/rules/new-draft.ts';
import type { Who } from '../../src/core/rules/who.ts';
import { agent, proc, World } from './world.ts';

export const person: Who = { id: 'me@host:tty', kind: 'person', parent: null, session: null, proc: null };

export type More = Partial<Omit<DraftBegin, 'queue'>> & {
  readonly by?: Who;
  readonly after?: readonly Who[];
  readonly anyway?: boolean;
  readonly priority?: number;
};

/** A ledger in which at most `running` drafted agents run at the same time. */
export function drafting(running: number) {
  const world = new World();
  const draft = (
    name: string,
    { by = person, after = [], anyway = false, priority = 0, ...more }: More = {},
  ) =>
    world.run({
      type: 'draft',
      phase: 'begin',
      who: by,
      agent: agent(name),
      ...{ role: 'r', category: 'c', access: 'full', task: 't', limits: DEFAULT_LIMITS },
      bounds: { depth: 3, running },
      drafter: proc(1),
      ...more,
      queue: { after: after.map(({ id }) => id), anyway, priority },
    });
  const next = (starter = proc(2)) =>
    world.run({ type: 'draft', phase: 'next', who: agent('guard'), starter });
  const end = (name: string, more: Partial<Ending> = {}) =>
    world.run({
      ...{ type: 'draft', phase: 'exit', who: agent(name), status: 'completed', reason: 'done' },
      ...{ exit_code: 0, signal: null, last_output: '', result: null, needs: null, api_error: null },
      ...{ usage: { turns: 1, cost_usd: 0, tools: {} }, worktree: null, ...more },
    });
  const lend = (name: string, for_ms: number | null) =>
    world.run({
      ...{ type: 'draft', phase: 'lend', who: agent(name) },
      until_mono_ms: for_ms === null ? null : world.mono_ms + for_ms,
    });
  const say = (name: string) =>
    world.run({
      ...{ type: 'draft', phase: 'say', who: person, id: `claude-${name}`, supervisor: proc(4) },
      ...{ said: { id: 'm', text: 'Go on.' }, bounds: { depth: 3, running } },
    });
  const state = (name: string) => world.states.get(draftKey(`claude-${name}`)) as unknown as DraftState;
  const all = () =>
    [...world.states].flatMap(([key, one]) =>
      key.startsWith('draft:') ? [one as unknown as DraftState] : [],
    );
  const place = (name: string) => queuePlaces({ all: all(), now: world.facts.now }).get(`claude-${name}`);
  return { world, draft, next, end, lend, say, state, all, place };
}

export const SPENT = (cost_usd: number): Partial<Ending> => ({ usage: { turns: 1, cost_usd, tools: {} } });
