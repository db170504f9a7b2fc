import type { Call } from '../call.ts';
import { type Here, print } from '../here.ts';
import { printedBy } from './index.ts';
import { namesAmong } from './tracked.ts';

/** Adds what the call prints to what is printed here, where somebody wants to know. */
export function printCall(here: Here, call: Call): void {
  if (here.printed === null) return;
  print(here, printedBy(call));
  const globs = namesAmong(call);
  if (globs !== null) here.printed.globs = globs;
}
