/** Leases over time, one line per file: bars in the holder's color, hatched while an agent waited. */
import { useState } from 'preact/hooks';
import { AgentsKey } from './agents-key.tsx';
import type { People } from './people.ts';
import type { PageServer } from './server.ts';
import { TABLE_ROWS_MOST, TableBehind } from './table-behind.tsx';
import { cellsOf } from './timeline-cells.tsx';
import { TimelinePlot } from './timeline-plot.tsx';
import { useAnswer } from './use-answer.ts';
import type { ShownScene, Timeline } from './wire.ts';
import { amountOf, dateAndClock } from './words.ts';

interface Look {
  readonly server: PageServer;
  readonly people: People;
  readonly version: number;
  readonly window: { readonly from_ms: number; readonly to_ms: number };
  /** The present, which bars without an end last until. */
  readonly scene: ShownScene;
  /** The moment shown; `null` for the present. */
  readonly at_ms: number | null;
  readonly onChoose: (ms: number) => void;
}

export function TimelineFigure({ server, people, version, window, scene, at_ms, onChoose }: Look) {
  const [matching, setMatching] = useState('');
  const timeline = useAnswer(server, '/page/timeline', { ...window, matching, rows: 30 }, version);
  const rows = timeline?.rows ?? [];
  const around = { people, held: new Set(scene.leases.map(({ path, holder }) => `${path}\n${holder}`)) };
  return (
    <section id="timeline" aria-labelledby="timeline-title">
      <div class="heading">
        <h2 id="timeline-title">Locks over time</h2>
        <label>
          <span class="dim">Files with</span>
          <input
            type="search"
            value={matching}
            placeholder="src/…"
            onInput={({ currentTarget }) => setMatching(currentTarget.value)}
          />
        </label>
      </div>
      {timeline === null || rows.length === 0 ? (
        <p class="calm">{timeline === null ? 'Looking…' : 'Nothing was held in that time.'}</p>
      ) : (
        <TimelinePlot {...{ timeline, ...around, at_ms, onChoose }} words={wordsOf(timeline)} />
      )}
      <AgentsKey {...{ rows, people }} here={new Set(scene.agents.map(({ agent }) => agent))} />
      <p class="legend dim">
        <span class="key bar">held</span>
        <span class="key hatched">waited for</span>
        <span class="key write">written</span>
        <span class="key denial">denied</span>
        {timeline !== null && timeline.more > 0 && (
          <span>{amountOf(timeline.more, 'quieter file')} not shown</span>
        )}
      </p>
      <TableBehind
        id="timeline-table"
        caption="Locks and waits over time"
        columns={['File', 'Agent', 'What', 'From', 'To', 'Ended']}
        rows={() => rows.flatMap((row) => row.bars.map((bar) => cellsOf(row, bar, around)))}
      />
    </section>
  );
}

function wordsOf({ rows, more, from_ms, to_ms }: Timeline): string {
  const files = more === 0 ? amountOf(rows.length, 'file') : `${rows.length} of ${rows.length + more} files`;
  const bars = rows.reduce((sum, row) => sum + row.bars.length, 0);
  const table =
    bars > TABLE_ROWS_MOST
      ? `the first ${TABLE_ROWS_MOST} of their ${bars} locks and waits`
      : amountOf(bars, 'lock or wait of theirs', 'locks and waits of theirs');
  return `${files}, from ${dateAndClock(from_ms)} to ${dateAndClock(to_ms)}. The table below has ${table}.`;
}
