/** The nodes, lines and arrowheads of the wait-for graph. */
import type { Dot, GraphLine } from './graph.ts';
import type { DotPlace } from './layout.ts';
import type { People } from './people.ts';
import { shortPath } from './words.ts';

const CHARS = 26;

export const Arrows = () => (
  <defs>
    {['hold', 'wait', 'wanted', 'stuck'].map((kind) => (
      <marker
        key={kind}
        id={`tip-${kind}`}
        class={`tip ${kind}`}
        viewBox="0 0 8 8"
        refX="7"
        refY="4"
        markerWidth="7"
        markerHeight="7"
        orient="auto"
      >
        <path d="M0 0.5 8 4 0 7.5z" />
      </marker>
    ))}
  </defs>
);

export function GraphEdgeLine({
  line,
  from,
  to,
}: {
  readonly line: GraphLine;
  readonly from: DotPlace;
  readonly to: DotPlace;
}) {
  const far = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  // Ends at the edge of the target node, which is wider than it is high.
  const rim = Math.min(0.45, 1 / Math.max(Math.abs(to.x - from.x) / 62, Math.abs(to.y - from.y) / 19, 0.001));
  const end = { x: to.x - (to.x - from.x) * rim, y: to.y - (to.y - from.y) * rim };
  const bend = {
    x: (from.x + end.x) / 2 + ((to.y - from.y) / far) * 14,
    y: (from.y + end.y) / 2 - ((to.x - from.x) / far) * 14,
  };
  const kind = line.is_stuck ? 'stuck' : line.kind;
  return (
    <path
      class={`edge ${line.kind}${line.is_stuck ? ' stuck' : ''}`}
      d={`M${from.x.toFixed(1)} ${from.y.toFixed(1)}Q${bend.x.toFixed(1)} ${bend.y.toFixed(1)} ${end.x.toFixed(1)} ${end.y.toFixed(1)}`}
      marker-end={`url(#tip-${kind})`}
    />
  );
}

export function Node({
  dot,
  at,
  people,
}: {
  readonly dot: Dot;
  readonly at: DotPlace;
  readonly people: People;
}) {
  const isAgent = dot.kind === 'agent';
  const words = isAgent ? people.nameOf(dot.of) : shortPath(dot.of, CHARS);
  const wide = Math.max(46, words.length * 7.1 + 26);
  const color = isAgent ? people.colorOf(dot.of) : '';
  return (
    <g
      class={`dot ${dot.kind} ${color}${dot.is_stuck ? ' stuck' : ''}`}
      transform={`translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`}
    >
      <title>{isAgent ? dot.of : dot.of}</title>
      <rect x={-wide / 2} y={-15} width={wide} height={30} rx={isAgent ? 15 : 5} />
      <text text-anchor="middle" dominant-baseline="central">
        {words}
      </text>
    </g>
  );
}
