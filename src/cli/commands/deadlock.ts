/** `guard deadlock`: agents that wait for each other in a circle, from the ledger or from any log of waits and holds. */
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { waitsNow } from '../../core/waits-now.ts';
import type { Cycle, GraphEdge } from '../../core/rules/wait-graph.ts';
import { policyOf } from '../../config/load.ts';
import { DEFAULTS } from '../../config/schema.ts';
import { act } from '../act.ts';
import { isInClaude } from '../agent-id.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { type Graph, graphOfLog } from '../graph/log-file.ts';
import { dot, mermaid } from '../graph/mermaid.ts';
import { withWorkspace } from '../workspace.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Shell } from '../shell.ts';
import { cycleLines, waitLines } from '../view/lines.ts';
import { watchLoop } from '../watch-loop.ts';
import { consult } from '../../store/transact.ts';

interface Options {
  readonly log?: string;
  readonly json?: boolean;
  readonly mermaid?: boolean;
  readonly dot?: boolean;
  readonly certain?: boolean;
  readonly watch?: boolean;
}

/** A log says by itself how long its leases last; nothing else of a policy matters to its edges. */
const POLICY = { ...policyOf(DEFAULTS), wanted_ms: 0 };

export function define(command: Command, shell: Shell): void {
  command
    .option('--log <file>', 'a file of hold, wait and release records instead of the ledger')
    .addOption(new Option('--json', 'print JSON').conflicts(['mermaid', 'dot']))
    .addOption(new Option('--mermaid', 'the whole graph as Mermaid').conflicts('dot'))
    .option('--dot', 'the whole graph for Graphviz')
    .option('--certain', 'deadlocks only, not what is merely possible')
    .addOption(new Option('--watch', 'again whenever something happens, until Ctrl-C').conflicts('log'));
  act<Options>(command, shell, ({ options }) => deadlock(options, shell));
}

async function deadlock(options: Options, shell: Shell): Promise<ExitCode> {
  if (options.log !== undefined) {
    // An agent may call this without being asked, so it must end by itself.
    const pipes = !isInClaude(shell.env);
    return show(await graphOfLog(resolve(shell.cwd, options.log), POLICY, { pipes }), options, shell);
  }
  return withWorkspace(shell, async (space) => {
    if (options.watch !== true) return show(graphOf(space), options, shell);
    let last: ExitCode = EXIT.yes;
    await watchLoop(space, shell, () => (last = show(graphOf(space), options, shell)));
    return last;
  });
}

function graphOf(space: Workspace): Graph {
  const facts = space.facts();
  const { waits, cycles } = consult(space.store, (view) => waitsNow(view, facts));
  return { edges: waits, cycles };
}

function show({ edges, cycles: all }: Graph, options: Options, shell: Shell): ExitCode {
  const cycles = options.certain === true ? all.filter(({ kind }) => kind === 'deadlock') : all;
  if (options.json === true) shell.json({ cycles: cycles.map(cycleJson), edges });
  else if (options.mermaid === true) shell.out(mermaid(edges, cycles));
  else if (options.dot === true) shell.out(dot(edges, cycles));
  else shell.out(`${words(edges, cycles, shell)}\n`);
  return cycles.length === 0 ? EXIT.yes : EXIT.no;
}

const cycleJson = ({ edges, ...cycle }: Cycle) => ({
  ...cycle,
  agents: edges.map((edge) => edge.from),
  edges,
});

function words(edges: readonly GraphEdge[], cycles: readonly Cycle[], shell: Shell): string {
  if (cycles.length > 0) return cycleLines(cycles, shell).join('\n').trimStart();
  return ['No agents wait for each other in a circle.', ...waitLines(edges, shell)].join('\n');
}
