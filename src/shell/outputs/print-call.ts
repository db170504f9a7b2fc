import type { Call } from '../call.ts';
import { type Here, print } from '../here.ts';
import { printedBy } from './index.ts';
import { namesAmong } from './tracked.ts';

/** Adds the output of the call to what is printed here, if that is needed. */
export function printCall(here: Here, call: Call): void {
  if (here.printed === null) return;
  print(here, printedBy(call));
  const globs = namesAmong(call);
  if (globs !== null) here.printed.globs = globs;
}
