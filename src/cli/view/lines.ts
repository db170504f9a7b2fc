/** What a person sees of a report: aligned lines, without anything that a terminal would interpret. */
import type { Cycle, GraphEdge } from '../../core/rules/wait-graph.ts';
import type { Shell } from '../shell.ts';
import { columns } from './columns.ts';
import { whom } from '../../core/deadlock-words.ts';
import { plain } from '../../core/plain.ts';
import { verdictOn } from '../../core/verdict-words.ts';

function listLines<T>(title: string, all: readonly T[], row: (one: T) => string[]): string[] {
  return all.length === 0 ? [] : ['', title, ...columns(all.map(row))];
}

type NameOf = (id: string) => string;

export function waitLines(waits: readonly GraphEdge[], { color }: Shell, nameOf: NameOf): string[] {
  const row = (edge: GraphEdge): string[] => [
    nameOf(edge.from),
    edge.kind === 'wait' ? 'waits for' : edge.because === 'agent' ? 'may wait for' : 'was refused',
    ...target(edge, nameOf),
  ];
  return listLines(color.bold('Waiting'), waits, row);
}

const BEFORE: Readonly<Record<GraphEdge['because'], string>> = {
  hold: 'held by',
  ticket: 'queued before it:',
  agent: '',
};

const target = ({ from, to, path, because }: GraphEdge, nameOf: NameOf): string[] =>
  because === 'agent'
    ? [`${whom(from, to).slice(0, -to.length)}${nameOf(to)}`, '']
    : [plain(path), `${BEFORE[because]} ${nameOf(to)}`];

function verdictLines(cycle: Cycle, nameOf: NameOf): string[] {
  const verdict = verdictOn(cycle, nameOf);
  return verdict === null ? [] : [`  ${verdict}.`];
}

export function cycleLines(cycles: readonly Cycle[], { color }: Shell, nameOf: NameOf): string[] {
  return cycles.flatMap((cycle, n) => {
    const title =
      cycle.kind === 'deadlock'
        ? color.red(
            `Deadlock ${n + 1}: ${cycle.state === 'told' ? 'the others wait until one gives way' : 'none of these can continue'}`,
          )
        : color.yellow(`Possible deadlock ${n + 1}: these agents want what the others hold`);
    const rows = cycle.edges.map((edge) => [
      nameOf(edge.from),
      edge.kind === 'wait' ? 'waits for' : edge.because === 'agent' ? 'may wait for' : 'wants',
      ...target(edge, nameOf),
    ]);
    return ['', title, ...columns(rows), ...verdictLines(cycle, nameOf)];
  });
}
