/** What each simple command writes, by its name. */
import type { Call, Writer } from '../call.ts';
import { ARCHIVES } from './archives.ts';
import { COMPRESSORS } from './compress.ts';
import { COREUTILS } from './coreutils.ts';
import { EDITORS } from './editors.ts';
import { INTERPRETERS } from './interpreters.ts';
import { OUTPUTS } from './outputs.ts';
import { NOTHING } from './reading.ts';

import { TRANSFERS } from './transfers.ts';

const WRITERS: ReadonlyMap<string, Writer> = new Map(
  Object.entries({
    ...COREUTILS,
    ...INTERPRETERS,
    ...EDITORS,
    ...ARCHIVES,
    ...COMPRESSORS,
    ...OUTPUTS,
    ...TRANSFERS,
  }),
);

/** Null: nothing is known to be written by a command of this name. */
export function writerFor(name: string): Writer | null {
  const writer = WRITERS.get(name);
  if (writer === undefined) return null;
  return (call) => (onlyTells(call) ? NOTHING : writer(call));
}

function onlyTells(call: Call): boolean {
  for (const { text } of call.args) {
    if (text === '--') return false;
    if (text === '--help' || text === '--version') return true;
  }
  return false;
}
