/** Time travel: a slider over every record that is kept, and a field for an lsn. */
import { LsnField } from './lsn-field.tsx';
import { PathWords } from './path-words.tsx';
import type { People } from './people.ts';
import type { PageMoment } from './use-moment.ts';
import type { Extent, SceneThen } from './wire.ts';
import { dateAndClock } from './words.ts';

interface Travel {
  readonly extent: Extent | null;
  readonly read_percent: number;
  readonly moment: PageMoment;
  readonly people: People;
}

export function TimeBar({ extent, read_percent, moment, people }: Travel) {
  const { sought, then, is_gone, go } = moment;
  const last = Math.max(0, (extent?.count ?? 0) - 1);
  const at = (sought !== null && 'nth' in sought ? sought.nth : then?.nth) ?? last;
  const isNow = sought === null || is_gone;
  const goTo = (nth: number): void => go(nth >= last ? null : { nth: Math.max(0, nth) });
  const change = then?.before.at(-1);
  const said = isNow
    ? 'now'
    : then === null || change === undefined
      ? `record ${at + 1}`
      : `${dateAndClock(then.at_ms)}, ${change.type} of ${people.nameOf(change.agent)}`;
  return (
    <section class="time" aria-label="Time travel">
      <div class="row">
        <button type="button" onClick={() => goTo(at - 1)} disabled={at <= 0} aria-label="One record back">
          ‹
        </button>
        <input
          type="range"
          min={0}
          max={last}
          step={1}
          value={at}
          disabled={extent === null}
          aria-label="PageMoment that is shown"
          aria-valuetext={said}
          onInput={({ currentTarget }) => goTo(Number(currentTarget.value))}
        />
        <button type="button" onClick={() => goTo(at + 1)} disabled={isNow} aria-label="One record on">
          ›
        </button>
        <LsnField lsn={then?.lsn ?? extent?.last?.lsn ?? null} onChoose={(lsn) => go({ lsn })} />
        <button type="button" class="now" onClick={() => go(null)} disabled={sought === null}>
          Now
        </button>
      </div>
      <p class="moment" data-nth={then?.nth ?? ''} data-lsn={then?.lsn ?? ''}>
        <MomentWords isNow={isNow} then={then} people={people} />
      </p>
      {is_gone && (
        <p class="too-old" role="alert">
          {extent?.first == null
            ? 'The ledger has no record yet.'
            : `No record of that lsn is kept: the oldest one has the lsn ${extent.first.lsn}.`}
        </p>
      )}
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

interface Shown {
  readonly isNow: boolean;
  readonly then: SceneThen | null;
  readonly people: People;
}

function MomentWords({ isNow, then, people }: Shown) {
  const change = then?.before.at(-1);
  if (isNow || then === null || change === undefined)
    return <span class="dim">{isNow ? 'This moment, as it changes.' : 'Looking…'}</span>;
  return (
    <>
      <time>{dateAndClock(then.at_ms)}</time> <span class="dim">lsn</span> {then.lsn} <b>{change.type}</b>{' '}
      <span class={`name ${people.colorOf(change.agent)}`}>{people.nameOf(change.agent)}</span>{' '}
      {change.paths.map((path, nth) => [nth > 0 && ', ', <PathWords key={path} path={path} />])}
    </>
  );
}
