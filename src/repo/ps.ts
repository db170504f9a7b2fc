// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A process as ps(1) shows it, where there is no /proc. */
import { runForOutput } from './output-of.ts';

/** `start` is opaque and only compared for equality. `gone` is certain, `unsure` is not. */
export type Sighting =
  { readonly state: 'alive'; readonly start: string } | { readonly state: 'gone' | 'unsure' };

const GONE: Sighting = { state: 'gone' };
const UNSURE: Sighting = { state: 'unsure' };

/** Output of `ps -o lstart= -o state=`: `Mon Nov 21 22:59:01 2025 Ss`. */
export function parsePs(text: string): Sighting {
  const [, start, state] = /^(\S.*\d)\s+(\S+)$/.exec(text.trim()) ?? [];
  if (start === undefined || state === undefined) return UNSURE;
  return state.startsWith('Z') ? GONE : { state: 'alive', start: start.replace(/\s+/g, ' ') };
}

export function lookPs(pid: number, isAbsent: (pid: number) => boolean): Sighting {
  const text = runForOutput('/bin/ps', ['-o', 'lstart=', '-o', 'state=', '-p', String(pid)]);
  if (text !== null) return parsePs(text);
  return isAbsent(pid) ? GONE : UNSURE;
}
