/** Time travel: a slider over every record that is kept. */
import type { People } from './people.ts';
import type { Extent, SceneThen } from './wire.ts';
import { dateAndClock, shortPath } from './words.ts';

interface Travel {
  readonly extent: Extent | null;
  readonly read_percent: number;
  /** `null` for the present. */
  readonly nth: number | null;
  readonly then: SceneThen | null;
  readonly people: People;
  readonly onMove: (nth: number | null) => void;
}

const PATH_CHARS = 60;

export function TimeBar({ extent, read_percent, nth, then, people, onMove }: Travel) {
  const last = Math.max(0, (extent?.count ?? 0) - 1);
  const at = nth ?? last;
  const go = (to: number): void => onMove(to >= last ? null : Math.max(0, to));
  const change = then?.before.at(-1);
  const said =
    nth === null
      ? 'now'
      : then === null || change === undefined
        ? `record ${at + 1}`
        : `${dateAndClock(then.at_ms)}, ${change.type} of ${people.nameOf(change.agent)}`;
  return (
    <section class="time" aria-label="Time travel">
      <div class="row">
        <button type="button" onClick={() => go(at - 1)} disabled={at <= 0} aria-label="One record back">
          ‹
        </button>
        <input
          type="range"
          min={0}
          max={last}
          step={1}
          value={at}
          disabled={extent === null}
          aria-label="Moment that is shown"
          aria-valuetext={said}
          onInput={({ currentTarget }) => go(Number(currentTarget.value))}
        />
        <button type="button" onClick={() => go(at + 1)} disabled={nth === null} aria-label="One record on">
          ›
        </button>
        <button type="button" class="now" onClick={() => onMove(null)} disabled={nth === null}>
          Now
        </button>
      </div>
      <p class="moment" data-nth={then?.nth ?? ''} data-lsn={then?.lsn ?? ''}>
        {nth === null || then === null || change === undefined ? (
          <span class="dim">{nth === null ? 'This moment, as it changes.' : 'Looking…'}</span>
        ) : (
          <>
            <time>{dateAndClock(then.at_ms)}</time> <span class="dim">lsn</span> {then.lsn}{' '}
            <b>{change.type}</b>{' '}
            <span class={`name ${people.colorOf(change.agent)}`}>{people.nameOf(change.agent)}</span>{' '}
            <span class="path">{change.paths.map((path) => shortPath(path, PATH_CHARS)).join(', ')}</span>
          </>
        )}
      </p>
      {read_percent < 100 && (
        <p class="dim">
          <progress max={100} value={read_percent} aria-label="Ledger read" /> {read_percent} % of the ledger
          is read; what happened before follows.
        </p>
      )}
      {extent?.is_whole === false && extent.first !== null && (
        <p class="dim note">
          Records before {dateAndClock(extent.first.ms)} (lsn {extent.first.lsn}) are no longer kept:
          compaction removed them, and the archive does not have them.
        </p>
      )}
    </section>
  );
}
