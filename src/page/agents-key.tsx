/** Which color of the timeline belongs to which agent, also to those that have left. */
import type { People } from './people.ts';
import type { TimelineRow } from './wire.ts';
import { amountOf } from './words.ts';

interface Key {
  readonly rows: readonly TimelineRow[];
  readonly people: People;
  /** Ids of those who are here. */
  readonly here: ReadonlySet<string>;
}

const SHOWN = 24;

export function AgentsKey({ rows, people, here }: Key) {
  const all = people.inOrder(
    rows.flatMap(({ bars, marks }) => [...bars, ...marks].map(({ agent }) => agent)),
  );
  return (
    <ul class="legend people" aria-label="Colors of agents">
      {all.slice(0, SHOWN).map((id) => (
        <li key={id} data-agent={id}>
          <span class={`name ${people.colorOf(id)}`} title={id}>
            {people.nameOf(id)}
          </span>
          {!here.has(id) && <span class="dim"> has left</span>}
        </li>
      ))}
      {all.length > SHOWN && <li class="dim">and {amountOf(all.length - SHOWN, 'more agent')}</li>}
    </ul>
  );
}
