/** Times and names in the page's notation. */
import { age } from '../core/time.ts';

const two = (value: number): string => String(value).padStart(2, '0');

export function clock(ms: number): string {
  const at = new Date(ms);
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

export function dateAndClock(ms: number): string {
  const at = new Date(ms);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock(ms)}`;
}

export const agoAt = (ms: number, now_ms: number): string => `${age(Math.max(0, now_ms - ms))} ago`;

export const amountOf = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** `…/core/rules/lease.ts`: the end is the most telling part. */
export const shortPath = (path: string, chars: number): string =>
  path.length <= chars ? path : `…${path.slice(path.length - chars + 1)}`;

const ENDS: Readonly<Record<string, string>> = {
  release: 'released',
  'turn.end': 'its turn ended',
  'turn.start': 'a new turn began',
  'agent.leave': 'its agent left',
  hold: 'passed on',
  unwait: 'stopped waiting',
  wait: 'waits anew',
};

/** What ended a lease or a wait, in terms of the record that did. */
export const endWords = (type: string | null): string => (type === null ? 'not ended' : (ENDS[type] ?? type));
