/** What each simple command writes, by its name. */
import type { Call, Writer } from '../call.ts';
import { ARCHIVES } from './archives.ts';
import { COMPILERS } from './compilers.ts';
import { COMPRESSORS } from './compress.ts';
import { COREUTILS } from './coreutils.ts';
import { EDITORS } from './editors.ts';
import { FORMATTERS } from './formatters.ts';
import { INTERPRETERS } from './interpreters.ts';
import { OUTPUTS } from './outputs.ts';
import { PACKAGES } from './packages.ts';
import { NOTHING, together } from './reading.ts';
import { SCOPES } from './scopes.ts';
import { TASKS } from './tasks.ts';
import { TRANSFERS } from './transfers.ts';

const FAMILIES: readonly Readonly<Record<string, Writer>>[] = [
  ...[COREUTILS, EDITORS, ARCHIVES, COMPRESSORS, TRANSFERS, OUTPUTS],
  ...[COMPILERS, FORMATTERS, PACKAGES, SCOPES],
  ...[INTERPRETERS, TASKS],
];

/** Of one command several families may know something: `cargo fmt`, `cargo add`. */
const WRITERS: ReadonlyMap<string, readonly Writer[]> = byName();

function byName(): ReadonlyMap<string, readonly Writer[]> {
  const writers = new Map<string, Writer[]>();
  for (const family of FAMILIES)
    for (const [name, writer] of Object.entries(family)) {
      const known = writers.get(name);
      if (known === undefined) writers.set(name, [writer]);
      else known.push(writer);
    }
  return writers;
}

/** Null: nothing is known to be written by a command of this name. */
export function writerFor(name: string): Writer | null {
  const writers = WRITERS.get(name) ?? WRITERS.get(withoutVersion(name));
  if (writers === undefined) return null;
  return (call) => (onlyTells(call) ? NOTHING : together(writers.map((it) => it(call))));
}

/** `python3.12`, `gcc-13`, `clang-format-18`. */
const withoutVersion = (name: string): string => name.replace(/(?<=[a-z+])-?\d+(?:\.\d+)*$/, '');

/** What runs other programs hands `--help` on to them. */
const HANDS_ON = new Set([...Object.keys(INTERPRETERS), ...Object.keys(TASKS)]);

function onlyTells(call: Call): boolean {
  const asked = HANDS_ON.has(call.name) ? call.args.slice(0, 1) : call.args;
  for (const { text } of asked) {
    if (text === '--') return false;
    if (text === '--help' || text === '--version') return true;
  }
  return false;
}
