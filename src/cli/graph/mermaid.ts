/** Wait-for graphs as Mermaid and Graphviz text. Names are data: quoted, never syntax. */
import { plain } from '../../core/plain.ts';
import type { Cycle, GraphEdge } from '../../core/rules/wait-graph.ts';

export function mermaid(edges: readonly GraphEdge[], cycles: readonly Cycle[]): string {
  const ids = idsOf(edges);
  const red = redIn(cycles);
  const nodes = [...ids].map(([name, id]) => `  ${id}["${quoteMermaid(name)}"]`);
  const arrows = edges.map(
    (edge) =>
      `  ${ids.get(edge.from) ?? ''} ${edge.kind === 'wait' ? '-->' : '-.->'}|"${quoteMermaid(labelOf(edge))}"| ${ids.get(edge.to) ?? ''}`,
  );
  const styles = edges.flatMap((edge, n) => (red(edge) ? [`  linkStyle ${n} stroke:red`] : []));
  return `${['graph LR', ...nodes, ...arrows, ...styles].join('\n')}\n`;
}

export function dot(edges: readonly GraphEdge[], cycles: readonly Cycle[]): string {
  const red = redIn(cycles);
  const arrows = edges.map((edge) => {
    const style = `${edge.kind === 'wait' ? '' : ',style=dashed'}${red(edge) ? ',color=red' : ''}`;
    return `  ${quoteDot(edge.from)} -> ${quoteDot(edge.to)} [label=${quoteDot(labelOf(edge))}${style}];`;
  });
  return `${['digraph waits {', ...arrows, '}'].join('\n')}\n`;
}

/** An edge to an agent whose end is awaited has no path. */
const labelOf = ({ path, because }: GraphEdge): string => (because === 'agent' ? 'waits for its end' : path);

const nameOf = ({ from, to, path }: GraphEdge): string => JSON.stringify([from, to, path]);

function redIn(cycles: readonly Cycle[]): (edge: GraphEdge) => boolean {
  const names = new Set(cycles.flatMap(({ edges }) => edges.map(nameOf)));
  return (edge) => names.has(nameOf(edge));
}

const quoteDot = (text: string): string => JSON.stringify(plain(text));

function idsOf(edges: readonly GraphEdge[]): Map<string, string> {
  const names = [...new Set(edges.flatMap((edge) => [edge.from, edge.to]))];
  return new Map(names.map((name, n) => [name, `a${n}`]));
}

const quoteMermaid = (text: string): string =>
  text.replace(/[^\w@%+=:,./ ~-]/gu, (char) => `#${char.codePointAt(0) ?? 63};`);
