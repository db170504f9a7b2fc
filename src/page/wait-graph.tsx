import { useRef } from 'preact/hooks';
import { age } from '../core/time.ts';
import { Arrows, curveOf, GraphEdgeAge, GraphEdgeLine } from './graph-edge.tsx';
import { GraphNode, nodeShape } from './graph-node.tsx';
import { graphOf } from './graph.ts';
import { type DotPlace, layoutOf } from './layout.ts';
import type { People } from './people.ts';
import { TableBehind } from './table-behind.tsx';
import { useWidth } from './use-width.ts';
import { waitCells } from './wait-cells.tsx';
import type { PresentStatus, ShownScene } from './wire.ts';
import { amountOf } from './words.ts';

interface Shown {
  readonly scene: ShownScene;
  readonly denials: PresentStatus['denials'];
  readonly people: People;
  readonly now_ms: number;
}

/** A small change of the width moves nothing. */
const WIDTHS = { least: 280, most: 760, step: 20 };
const HEIGHTS = { least: 190, most: 440, of_dot: 30 };
/** Below this width there is room for two nodes next to each other, and shorter names. */
const NARROW = 480;
const CHARS = { wide: 26, narrow: 18 };

function boxOf(dots: number, room: number) {
  const width = Math.min(WIDTHS.most, Math.max(WIDTHS.least, Math.floor(room / WIDTHS.step) * WIDTHS.step));
  const isNarrow = width < NARROW;
  const height = (HEIGHTS.least + dots * HEIGHTS.of_dot) * (isNarrow ? 1.2 : 1);
  return { width, height: Math.min(HEIGHTS.most * (isNarrow ? 1.4 : 1), height), isNarrow };
}

export function WaitGraph({ scene, denials, people, now_ms }: Shown) {
  const before = useRef<ReadonlyMap<string, DotPlace>>(new Map());
  const drawn = useRef({ graph: '', width: 0 });
  const [ref, room] = useWidth();
  const graph = graphOf(scene, denials);
  const box = boxOf(graph.dots.length, room);
  // Nothing moves unless the graph has changed, or the room for it.
  const now = { graph: JSON.stringify(graph), width: box.width };
  if (drawn.current.graph !== now.graph || drawn.current.width !== now.width) {
    before.current = layoutOf(
      graph,
      box,
      drawn.current.width === now.width ? before.current : new Map<string, DotPlace>(),
    );
    drawn.current = now;
  }
  const at = (id: string): DotPlace => before.current.get(id) ?? { x: 0, y: 0 };
  const chars = box.isNarrow ? CHARS.narrow : CHARS.wide;
  const shapes = new Map(graph.dots.map((dot) => [dot.id, nodeShape(dot, people, chars)]));
  const end = (id: string) => ({ ...at(id), width: shapes.get(id)?.width ?? 0 });
  const lines = graph.lines.map((line) => ({
    ...{ line, key: `${line.from} ${line.to}`, curve: curveOf(end(line.from), end(line.to)) },
    ends: `${shapes.get(line.from)?.words ?? ''} to ${shapes.get(line.to)?.words ?? ''}`,
  }));
  return (
    <section id="waits" aria-labelledby="waits-title" tabindex={-1}>
      <h2 id="waits-title">Who waits for whom</h2>
      <div ref={ref}>
        {graph.dots.length === 0 ? (
          <p class="calm">No agent is waiting.</p>
        ) : (
          <figure>
            <svg
              class="graph"
              viewBox={`0 0 ${box.width} ${box.height}`}
              width={box.width}
              role="group"
              aria-labelledby="waits-title waits-words"
            >
              <desc id="waits-words">{wordsOf(scene, now_ms)}</desc>
              <Arrows />
              {lines.map((one) => (
                <GraphEdgeLine key={one.key} line={one.line} curve={one.curve} />
              ))}
              {graph.dots.map((dot) => {
                const shape = shapes.get(dot.id);
                const color = people.colorOf(dot.of);
                return shape && <GraphNode key={dot.id} {...{ dot, shape, color, at: at(dot.id) }} />;
              })}
              {lines.map((one) => (
                <GraphEdgeAge {...one} key={one.key} now_ms={now_ms} />
              ))}
            </svg>
            <figcaption class="legend dim">
              <span class="key hold">holds</span>
              <span class="key wait">waits</span>
              <span class="key wanted">was refused</span>
              <span class="key stuck">deadlock</span>
              {graph.more > 0 && <span>{graph.more} more waits are in the table</span>}
            </figcaption>
          </figure>
        )}
      </div>
      <TableBehind
        id="waits-table"
        caption="Who waits for whom"
        columns={['Agent', 'Does', 'File', 'Of', 'Because', 'Since']}
        rows={() => scene.waits.map((wait) => waitCells(wait, { people, denials, now_ms }))}
      />
    </section>
  );
}

function wordsOf({ waits, cycles }: ShownScene, now_ms: number): string {
  const deadlocks = cycles.filter(({ kind }) => kind === 'deadlock').length;
  const longest = Math.min(...waits.map(({ since }) => (since === null ? now_ms : Date.parse(since))));
  return `${amountOf(waits.length, 'wait')}, the longest for ${age(Math.max(0, now_ms - longest))}; ${amountOf(deadlocks, 'deadlock')}. The table below has them all.`;
}
