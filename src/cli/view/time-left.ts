/** How long until a time, for people. Part of a second counts as one, so that 15 minutes just granted are not 14. */
import { age } from '../../core/time.ts';
import { wallMs } from '../../repo/clock.ts';

export const timeLeft = (until: string): string =>
  age(Math.ceil((Date.parse(until) - wallMs()) / 1000) * 1000);

/** `4m ago` */
export const timeAgo = (at: string): string => `${age(wallMs() - Date.parse(at))} ago`;
