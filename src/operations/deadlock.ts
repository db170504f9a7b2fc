/** Agents that wait for each other in a cycle, from the ledger or from any log of waits and holds. */
import { resolve } from 'node:path';
import { policyOf } from '../config/load.ts';
import { DEFAULTS } from '../config/schema.ts';
import type { Cycle, GraphEdge } from '../core/rules/wait-graph.ts';
import type { AgentId } from '../core/types.ts';
import { waitsNow } from '../core/waits-now.ts';
import { consult } from '../store/transact.ts';
import type { Surroundings, Workspace } from '../workspace/workspace.ts';
import { type Graph, graphOfLog } from './deadlock-log.ts';
import { flag, neverEmpty, optional, text, withDefault } from './field.ts';
import { operation } from './operation.ts';

/** A log needs no repository. */
export interface Anywhere extends Surroundings {
  readonly ledger: () => Workspace;
  /** A log may be a pipe, whose end the caller has to ensure. */
  readonly pipes: boolean;
}

export interface DeadlockAnswer {
  readonly cycles: readonly (Cycle & { readonly agents: readonly AgentId[] })[];
  readonly edges: readonly GraphEdge[];
}

/** A log itself ends its leases; nothing else of a policy affects its edges. */
const POLICY = { ...policyOf(DEFAULTS), wanted_ms: 0 };

export const DEADLOCK = operation(
  'deadlock',
  {
    log: neverEmpty(optional(text('A file of hold, wait and release records instead of the ledger'))),
    certain: withDefault(flag('Deadlocks only, not what is merely possible'), false),
  },
  async ({ log, certain }, at: Anywhere): Promise<DeadlockAnswer> => {
    const { edges, cycles } =
      log === undefined ? graphNow(at.ledger()) : await graphOfLog(resolve(at.cwd, log), POLICY, at);
    return {
      cycles: cycles
        .filter(({ kind }) => !certain || kind === 'deadlock')
        .map(({ edges: around, ...cycle }) => ({
          ...{ ...cycle, agents: around.map(({ from }) => from) },
          edges: around,
        })),
      edges,
    };
  },
);

function graphNow(space: Workspace): Graph {
  const facts = space.facts();
  const { waits, cycles } = consult(space.store, (view) => waitsNow(view, facts));
  return { edges: waits, cycles };
}
