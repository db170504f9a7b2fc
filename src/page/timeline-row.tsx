/** One file of the timeline, as bars and marks. */
import type { BarContext } from './timeline-cells.tsx';
import { BAR_WORDS, isOpen } from './timeline-cells.tsx';
import type { TimelineRow } from './wire.ts';
import { localTime } from '../core/local-time.ts';

const LEAST_PX = 2;

export interface Scale {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly x: (ms: number) => number;
}

export const scaleOf = (
  { from_ms, to_ms }: { readonly from_ms: number; readonly to_ms: number },
  width: number,
): Scale => ({
  ...{ from_ms, to_ms },
  x: (ms) => Math.min(width, Math.max(0, ((ms - from_ms) / Math.max(1, to_ms - from_ms)) * width)),
});

const KINDS = ['write', 'denial'] as const;

/** A dot and a cross, from where the pen is. */
const DRAWN: Readonly<Record<(typeof KINDS)[number], string>> = {
  write: 'm-2.2 11a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0',
  denial: 'm-3.5 7.5l7 7m0-7l-7 7',
};

/** One path for a row's marks: with an element each, a long ledger has ten thousand of them. */
const marksIn = ({ marks }: TimelineRow, kind: (typeof KINDS)[number], scale: Scale): string =>
  [...new Set(marks.filter((mark) => mark.kind === kind).map(({ ms }) => scale.x(ms).toFixed(1)))]
    .map((x) => `M${x} 0${DRAWN[kind]}`)
    .join('');

export function TimelineRowBars({
  row,
  scale,
  people,
  held,
}: BarContext & { readonly row: TimelineRow; readonly scale: Scale }) {
  return (
    <>
      {row.bars.map((bar) => {
        const [from, to] = [scale.x(bar.from_ms), scale.x(bar.to_ms ?? scale.to_ms)];
        const isWait = bar.kind === 'wait';
        const isFaded = bar.to_ms === null && !isOpen(row.path, bar, held);
        return (
          <rect
            key={`${bar.kind} ${bar.agent} ${bar.from_ms}`}
            class={`span ${bar.kind} ${people.colorOf(bar.agent)}${isFaded ? ' lapsed' : ''}`}
            x={from}
            y={isWait ? 18 : 5}
            width={Math.max(LEAST_PX, to - from)}
            height={isWait ? 5 : 12}
            rx={isWait ? 1 : 3}
          >
            <title>{`${people.nameOf(bar.agent)} ${BAR_WORDS[bar.kind]} ${row.path}, ${localTime(bar.from_ms)} to ${bar.to_ms === null ? 'now' : localTime(bar.to_ms)}`}</title>
          </rect>
        );
      })}
      {KINDS.map((kind) => {
        const drawn = marksIn(row, kind, scale);
        return drawn !== '' && <path key={kind} class={`mark ${kind}`} d={drawn} />;
      })}
    </>
  );
}
