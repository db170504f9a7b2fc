/** Wait-for graphs as Mermaid and Graphviz text. Names are data: quoted, never syntax. */
import { plain } from '../../core/plain.ts';
import type { Cycle, GraphEdge } from '../../core/rules/wait-graph.ts';

export function mermaid(edges: readonly GraphEdge[], cycles: readonly Cycle[]): string {
  const ids = idsOf(edges);
  const red = new Set(cycles.flatMap((cycle) => cycle.edges));
  const nodes = [...ids].map(([name, id]) => `  ${id}["${quoteMermaid(name)}"]`);
  const arrows = edges.map(
    (edge) =>
      `  ${ids.get(edge.from) ?? ''} ${edge.kind === 'wait' ? '-->' : '-.->'}|"${quoteMermaid(edge.path)}"| ${ids.get(edge.to) ?? ''}`,
  );
  const styles = edges.flatMap((edge, n) => (red.has(edge) ? [`  linkStyle ${n} stroke:red`] : []));
  return `${['graph LR', ...nodes, ...arrows, ...styles].join('\n')}\n`;
}

export function dot(edges: readonly GraphEdge[], cycles: readonly Cycle[]): string {
  const red = new Set(cycles.flatMap((cycle) => cycle.edges));
  const arrows = edges.map((edge) => {
    const style = `${edge.kind === 'wait' ? '' : ',style=dashed'}${red.has(edge) ? ',color=red' : ''}`;
    return `  ${quoteDot(edge.from)} -> ${quoteDot(edge.to)} [label=${quoteDot(edge.path)}${style}];`;
  });
  return `${['digraph waits {', ...arrows, '}'].join('\n')}\n`;
}

const quoteDot = (text: string): string => JSON.stringify(plain(text));

function idsOf(edges: readonly GraphEdge[]): Map<string, string> {
  const names = [...new Set(edges.flatMap((edge) => [edge.from, edge.to]))];
  return new Map(names.map((name, n) => [name, `a${n}`]));
}

const quoteMermaid = (text: string): string =>
  text.replace(/[^\w@%+=:,./ ~-]/gu, (char) => `#${char.codePointAt(0) ?? 63};`);
