/** Times and names in the page's notation. */
import { localDate, localTime } from '../core/local-time.ts';
import { age } from '../core/time.ts';

export const dateAndClock = (ms: number): string => `${localDate(ms)} ${localTime(ms)}`;

/** A time of that day without its date. */
export const clockIn = (ms: number, day_ms: number): string =>
  localDate(ms) === localDate(day_ms) ? localTime(ms) : dateAndClock(ms);

export const agoAt = (ms: number, now_ms: number): string => `${age(Math.max(0, now_ms - ms))} ago`;

export const amountOf = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** `…/core/rules/lease.ts`: the end is the most telling part. */
export const shortPath = (path: string, chars: number): string =>
  path.length <= chars ? path : `…${fromSlash(path.slice(path.length - chars + 1))}`;

/** Without the rest of a name whose beginning is cut off. */
const fromSlash = (tail: string): string => tail.slice(Math.max(0, tail.indexOf('/')));

const ENDS: Readonly<Record<string, string>> = {
  release: 'released',
  'turn.end': 'its turn ended',
  'turn.start': 'a new turn began',
  'agent.leave': 'its agent left',
  hold: 'passed on',
  unwait: 'stopped waiting',
  wait: 'waits again',
};

/** What ended a lease or a wait, in terms of the record that did. */
export const endWords = (type: string | null): string => (type === null ? 'not ended' : (ENDS[type] ?? type));
