/** A line of the wait-for graph: from an agent to what it waits for, or from a file to its holder. */
import { age } from '../core/time.ts';
import { momentHash } from './address.ts';
import type { GraphLine } from './graph.ts';
import { NODE_HEIGHT } from './graph-node.tsx';
import type { DotPlace } from './layout.ts';

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
        markerUnits="userSpaceOnUse"
        orient="auto"
      >
        <path d="M0 0.5 8 4 0 7.5z" />
      </marker>
    ))}
  </defs>
);

interface End extends DotPlace {
  /** Of its node. */
  readonly width: number;
}

type Curve = readonly [begin: DotPlace, bend: DotPlace, end: DotPlace];

const BEND_PX = 14;
const GAP_PX = 3;
/** Of the age of a wait: before the middle, where lines of a circle cross. */
const AGE_AT = 0.36;

/** From the rim of one node to that of the other. */
export function curveOf(from: End, to: End): Curve {
  const [begin, end] = [rimOf(from, to), rimOf(to, from)];
  const far = Math.hypot(end.x - begin.x, end.y - begin.y) || 1;
  const bend = {
    x: (begin.x + end.x) / 2 + ((end.y - begin.y) / far) * BEND_PX,
    y: (begin.y + end.y) / 2 - ((end.x - begin.x) / far) * BEND_PX,
  };
  return [begin, bend, end];
}

function rimOf(one: End, other: DotPlace): DotPlace {
  const [dx, dy] = [other.x - one.x, other.y - one.y];
  const across = (one.width / 2 + GAP_PX) / Math.max(0.001, Math.abs(dx));
  const up = (NODE_HEIGHT / 2 + GAP_PX) / Math.max(0.001, Math.abs(dy));
  const share = Math.min(0.45, across, up);
  return { x: one.x + dx * share, y: one.y + dy * share };
}

interface Drawn {
  readonly line: GraphLine;
  readonly curve: Curve;
}

const stuckClass = ({ is_stuck }: GraphLine): string => (is_stuck ? ' stuck' : '');
const words = ({ x, y }: DotPlace): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

export const GraphEdgeLine = ({ line, curve: [begin, bend, end] }: Drawn) => (
  <path
    class={`edge ${line.kind}${stuckClass(line)}`}
    d={`M${words(begin)}Q${words(bend)} ${words(end)}`}
    marker-end={`url(#tip-${line.is_stuck ? 'stuck' : line.kind})`}
  />
);

interface Dated extends Drawn {
  readonly now_ms: number;
  /** `ann to src/a.ts` */
  readonly ends: string;
}

/** How long a wait has lasted, as a link to when it began. It is drawn last, so that no node covers it. */
export function GraphEdgeAge({ line, curve: [a, b, c], now_ms, ends }: Dated) {
  if (line.since_ms === null) return null;
  const lasts = age(Math.max(0, now_ms - line.since_ms));
  const [first, second, third] = [(1 - AGE_AT) ** 2, 2 * AGE_AT * (1 - AGE_AT), AGE_AT ** 2];
  const text = (
    <text
      class={`lasts${stuckClass(line)}`}
      x={(first * a.x + second * b.x + third * c.x).toFixed(1)}
      y={(first * a.y + second * b.y + third * c.y).toFixed(1)}
      text-anchor="middle"
      dominant-baseline="central"
    >
      {lasts}
    </text>
  );
  if (line.lsn === null) return text;
  return (
    <a
      class="to-moment"
      href={momentHash(line.lsn)}
      data-lsn={line.lsn}
      aria-label={`${lasts}: ${ends}, show the moment`}
    >
      {text}
    </a>
  );
}
