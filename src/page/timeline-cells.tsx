/** A bar of the timeline as cells of the table behind it, and as words. */
import type { ComponentChildren } from 'preact';
import { MomentLink } from './moment-link.tsx';
import { PathWords } from './path-words.tsx';
import type { People } from './people.ts';
import type { Bar, TimelineRow } from './wire.ts';
import { dateAndClock, endWords } from './words.ts';

export interface BarContext {
  readonly people: People;
  /** What is held at present: the path, a line break and the holder. */
  readonly held: ReadonlySet<string>;
}

export const BAR_WORDS: Readonly<Record<Bar['kind'], string>> = {
  hold: 'held',
  shared: 'held with others',
  wait: 'waited',
};

/** A lease lapses without a record: one that is no longer held at present has lapsed. */
export const isOpen = (path: string, { agent, kind, to_ms }: Bar, held: ReadonlySet<string>): boolean =>
  to_ms === null && (kind === 'wait' || held.has(`${path}\n${agent}`));

const endedWords = (path: string, bar: Bar, held: ReadonlySet<string>): string =>
  bar.to_ms !== null ? endWords(bar.ended_by) : isOpen(path, bar, held) ? 'not ended' : 'lapsed';

export function cellsOf({ path }: TimelineRow, bar: Bar, { people, held }: BarContext): ComponentChildren[] {
  const { agent, kind, from_ms, from_lsn, to_ms, spans } = bar;
  const times = spans === 1 ? '' : ` (${spans} times)`;
  return [
    <PathWords key="path" path={path} />,
    people.nameOf(agent),
    `${BAR_WORDS[kind]}${times}`,
    <MomentLink key="from" lsn={from_lsn}>
      {dateAndClock(from_ms)}
    </MomentLink>,
    to_ms === null ? '' : dateAndClock(to_ms),
    endedWords(path, bar, held),
  ];
}
