/** A node of the wait-for graph: an agent, or a file. */
import type { Dot } from './graph.ts';
import type { DotPlace } from './layout.ts';
import type { People } from './people.ts';
import { shortPath } from './words.ts';

/** As it is drawn. */
export interface NodeShape {
  readonly words: string;
  readonly width: number;
}

export const NODE_HEIGHT = 30;
const CHAR_PX = 7.1;
const ROOM_PX = 26;
const LEAST_PX = 46;

export function nodeShape({ kind, of }: Dot, people: People, chars: number): NodeShape {
  const name = kind === 'agent' ? people.nameOf(of) : of;
  const words = shortPath(name, chars);
  return { words, width: Math.max(LEAST_PX, words.length * CHAR_PX + ROOM_PX) };
}

interface Placed {
  readonly dot: Dot;
  readonly at: DotPlace;
  readonly shape: NodeShape;
  readonly color: string;
}

export function GraphNode({ dot, at, shape: { words, width }, color }: Placed) {
  const isAgent = dot.kind === 'agent';
  return (
    <g
      class={`dot ${dot.kind} ${isAgent ? color : ''}${dot.is_stuck ? ' stuck' : ''}`}
      transform={`translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`}
    >
      <title>{dot.of}</title>
      <rect x={-width / 2} y={-NODE_HEIGHT / 2} width={width} height={NODE_HEIGHT} rx={isAgent ? 15 : 6} />
      <text text-anchor="middle" dominant-baseline="central">
        {words}
      </text>
    </g>
  );
}
