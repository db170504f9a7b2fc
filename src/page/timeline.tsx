/** Leases over time, one line per file: bars in the holder's color, hatched while an agent waited. */
import { useState } from 'preact/hooks';
import type { People } from './people.ts';
import type { PageServer } from './server.ts';
import { TableBehind } from './table-behind.tsx';
import { ticksOf } from './ticks.ts';
import { useAnswer } from './use-answer.ts';
import { useWidth } from './use-width.ts';
import { cellsOf, TimelineRowBars, scaleOf } from './timeline-row.tsx';
import type { ShownScene } from './wire.ts';
import { localTime } from '../core/local-time.ts';
import { amountOf, dateAndClock } from './words.ts';

interface Look {
  readonly server: PageServer;
  readonly people: People;
  readonly version: number;
  readonly window: { readonly from_ms: number; readonly to_ms: number };
  readonly scene: ShownScene;
  /** The moment shown; `null` for the present. */
  readonly at_ms: number | null;
}

const ROW = 26;
const HEAD = 24;
const TICK_PX = 110;

export function TimelineFigure({ server, people, version, window, scene, at_ms }: Look) {
  const [matching, setMatching] = useState('');
  const [ref, width] = useWidth();
  const timeline = useAnswer(server, '/page/timeline', { ...window, matching, rows: 30 }, version);
  const rows = timeline?.rows ?? [];
  const held = new Set(scene.leases.map(({ path, holder }) => `${path}\n${holder}`));
  const scale = scaleOf(timeline ?? window, width);
  const height = HEAD + rows.length * ROW;
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
      {rows.length === 0 ? (
        <p class="calm">{timeline === null ? 'Looking…' : 'Nothing was held in that time.'}</p>
      ) : (
        <figure class="timeline">
          <ol class="labels" aria-hidden="true">
            {rows.map(({ path }) => (
              <li key={path} title={path}>
                <bdi>{path}</bdi>
              </li>
            ))}
          </ol>
          <div class="plot" ref={ref}>
            <svg width={width} height={height} role="img" aria-labelledby="timeline-title timeline-words">
              <desc id="timeline-words">{`${rows.length} files from ${dateAndClock(window.from_ms)} to ${dateAndClock(window.to_ms)}. The table below has every lock.`}</desc>
              {ticksOf(scale.from_ms, scale.to_ms, width / TICK_PX).map((ms) => (
                <g key={ms} class="tick" transform={`translate(${scale.x(ms).toFixed(1)} 0)`}>
                  <line y1={HEAD - 6} y2={height} />
                  <text y={12} text-anchor={scale.x(ms) > width - 40 ? 'end' : 'start'}>
                    {localTime(ms).slice(0, 5)}
                  </text>
                </g>
              ))}
              {rows.map((row, nth) => (
                <g key={row.path} transform={`translate(0 ${HEAD + nth * ROW})`}>
                  <TimelineRowBars row={row} scale={scale} people={people} held={held} />
                </g>
              ))}
              {at_ms !== null && (
                <line class="cursor" x1={scale.x(at_ms)} x2={scale.x(at_ms)} y1={0} y2={height} />
              )}
            </svg>
          </div>
        </figure>
      )}
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
        rows={rows.flatMap((row) => row.bars.map((bar) => cellsOf(row, bar, { people, held })))}
      />
    </section>
  );
}
