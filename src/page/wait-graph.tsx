import { useRef } from 'preact/hooks';
import { graphOf } from './graph.ts';
import { Arrows, GraphEdgeLine, Node } from './graph-parts.tsx';
import { type DotPlace, layoutOf } from './layout.ts';
import type { People } from './people.ts';
import { TableBehind } from './table-behind.tsx';
import type { ShownScene, Wait } from './wire.ts';
import { agoAt } from './words.ts';

interface Shown {
  readonly scene: ShownScene;
  readonly people: People;
  readonly now_ms: number;
}

const WIDTH = 720;
const HEIGHTS = { least: 200, most: 420, of_dot: 36 };
const boxOf = (dots: number) => ({
  width: WIDTH,
  height: Math.min(HEIGHTS.most, HEIGHTS.least + dots * HEIGHTS.of_dot),
});

export function WaitGraph({ scene, people, now_ms }: Shown) {
  const before = useRef<ReadonlyMap<string, DotPlace>>(new Map());
  const shape = useRef('');
  const graph = graphOf(scene);
  const box = boxOf(graph.dots.length);
  // Nothing moves unless the graph has changed.
  const now = JSON.stringify(graph);
  if (shape.current !== now) {
    before.current = layoutOf(graph, box, before.current);
    shape.current = now;
  }
  const at = (id: string): DotPlace => before.current.get(id) ?? { x: 0, y: 0 };
  return (
    <section id="waits" aria-labelledby="waits-title">
      <h2 id="waits-title">Who waits for whom</h2>
      {graph.dots.length === 0 ? (
        <p class="calm">No agent is waiting.</p>
      ) : (
        <figure>
          <svg
            viewBox={`0 0 ${box.width} ${box.height}`}
            role="img"
            aria-labelledby="waits-title waits-words"
          >
            <desc id="waits-words">{wordsOf(scene)}</desc>
            <Arrows />
            {graph.lines.map((line) => (
              <GraphEdgeLine
                key={`${line.from} ${line.to}`}
                line={line}
                from={at(line.from)}
                to={at(line.to)}
              />
            ))}
            {graph.dots.map((dot) => (
              <Node key={dot.id} dot={dot} at={at(dot.id)} people={people} />
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
      <TableBehind
        id="waits-table"
        caption="Who waits for whom"
        columns={['Agent', 'Does', 'File', 'Of', 'Because', 'Since']}
        rows={scene.waits.map((wait) => rowOf(wait, people, now_ms))}
      />
    </section>
  );
}

const wordsOf = ({ waits, cycles }: ShownScene): string =>
  `${waits.length} waits, ${cycles.filter(({ kind }) => kind === 'deadlock').length} deadlocks. The table below has them all.`;

const rowOf = ({ from, to, path, kind, because, since }: Wait, people: People, now_ms: number): string[] => [
  people.nameOf(from),
  kind === 'wait' ? 'waits' : 'was refused',
  path === '' ? 'the end of the other' : path,
  people.nameOf(to),
  because === 'hold' ? 'holds it' : because === 'ticket' ? 'is first in the queue' : 'it works for the other',
  since === null ? '' : agoAt(Date.parse(since), now_ms),
];
