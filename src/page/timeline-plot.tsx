/** The timeline itself: names of files, and their rows over a time axis. A click goes to that time. */
import type { TargetedMouseEvent } from 'preact';
import type { BarContext } from './timeline-cells.tsx';
import { scaleOf, TimelineRowBars } from './timeline-row.tsx';
import { ticksOf, tickWords } from './ticks.ts';
import { useNarrow } from './use-narrow.ts';
import { useWidth } from './use-width.ts';
import type { Timeline } from './wire.ts';

interface Plotted extends BarContext {
  readonly timeline: Timeline;
  readonly words: string;
  readonly at_ms: number | null;
  readonly onChoose: (ms: number) => void;
}

const HEAD = 24;
const TICK_PX = 110;
/** On a narrow page, the name of a file stands above its bars. */
const ROWS = { wide: { height: 26, above: 0 }, narrow: { height: 44, above: 17 } };

export function TimelinePlot({ timeline, words, at_ms, onChoose, people, held }: Plotted) {
  const [ref, width] = useWidth();
  const row = ROWS[useNarrow() ? 'narrow' : 'wide'];
  const { rows } = timeline;
  const scale = scaleOf(timeline, width);
  const length_ms = scale.to_ms - scale.from_ms;
  const height = HEAD + rows.length * row.height;
  const choose = ({ currentTarget, clientX }: TargetedMouseEvent<SVGSVGElement>): void => {
    const { left, width: wide } = currentTarget.getBoundingClientRect();
    onChoose(Math.round(scale.from_ms + ((clientX - left) / Math.max(1, wide)) * length_ms));
  };
  const cursor = at_ms === null ? null : scale.x(at_ms);
  return (
    <figure class="timeline">
      <ol class="labels" aria-hidden="true">
        {rows.map(({ path }) => (
          <li key={path} title={path}>
            <bdi>{path}</bdi>
          </li>
        ))}
      </ol>
      <div class="plot" ref={ref}>
        <svg
          width={width}
          height={height}
          role="img"
          aria-labelledby="timeline-title timeline-words"
          onClick={choose}
        >
          <desc id="timeline-words">{words}</desc>
          {ticksOf(scale.from_ms, scale.to_ms, width / TICK_PX).map((ms) => (
            <g key={ms} class="tick" transform={`translate(${scale.x(ms).toFixed(1)} 0)`}>
              <line y1={HEAD - 6} y2={height} />
              <text y={12} text-anchor={scale.x(ms) > width - 60 ? 'end' : 'start'}>
                {tickWords(ms, length_ms)}
              </text>
            </g>
          ))}
          {rows.map((one, nth) => (
            <g key={one.path} transform={`translate(0 ${HEAD + nth * row.height + row.above})`}>
              <TimelineRowBars row={one} scale={scale} people={people} held={held} />
            </g>
          ))}
          {cursor !== null && (
            <>
              <rect class="later" x={cursor} y={HEAD - 6} width={width - cursor} height={height} />
              <line class="cursor" x1={cursor} x2={cursor} y1={0} y2={height} />
            </>
          )}
        </svg>
      </div>
    </figure>
  );
}
