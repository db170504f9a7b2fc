/** What each simple command writes, by its name. */
import type { WordList } from '../../core/word-list.ts';
import type { Call, Writer } from '../call.ts';
import { COREUTILS } from './coreutils.ts';
import { EDITORS } from './editors.ts';
import { formatters } from './formatting.ts';
import { INTERPRETERS } from './interpreters.ts';
import { compilers, scopes } from './making.ts';
import { archives, compressors, transfers } from './moving.ts';
import { packages } from './managing.ts';
import { type FamilyName, namesOf } from './names.ts';
import { outputs } from './printing.ts';
import { allForms, NOTHING } from './reading.ts';
import { TASKS } from './tasks.ts';

interface Family {
  readonly knows: WordList;
  readonly writer: (name: string) => Writer | undefined;
}

const family = (name: FamilyName, writer: Family['writer']): Family => ({ knows: namesOf(name), writer });

/** Families given as functions are loaded if a line names one of their commands: most lines name none. */
const FAMILIES: readonly Family[] = [
  family('coreutils', (name) => COREUTILS[name]),
  family('editors', (name) => EDITORS[name]),
  family('archives', archives),
  family('compressors', compressors),
  family('transfers', transfers),
  family('outputs', outputs),
  family('compilers', compilers),
  family('formatters', formatters),
  family('packages', packages),
  family('scopes', scopes),
  family('interpreters', (name) => INTERPRETERS[name]),
  family('tasks', (name) => TASKS[name]),
];

/** Null if a command of this name is not known to write. */
export function writerFor(name: string): Writer | null {
  const writers = writersOf(name) ?? writersOf(withoutVersion(name));
  if (writers === null) return null;
  const all = allForms(writers);
  return (call) => (onlyTells(call) ? NOTHING : all(call));
}

/** Several families may know the same command: `cargo fmt`, `cargo add`. */
function writersOf(name: string): readonly Writer[] | null {
  const found = FAMILIES.filter(({ knows }) => knows.has(name)).flatMap(({ writer }) => writer(name) ?? []);
  return found.length === 0 ? null : found;
}

/** `python3.12`, `gcc-13`, `clang-format-18`. */
const withoutVersion = (name: string): string =>
  isDigit(name.at(-1) ?? '') ? name.replace(/(?<=[a-z+])-?\d+(?:\.\d+)*$/, '') : name;

const isDigit = (char: string): boolean => char >= '0' && char <= '9';

/** Commands that run other programs pass `--help` on to them. */
const HANDS_ON: readonly WordList[] = [namesOf('interpreters'), namesOf('tasks')];

function onlyTells(call: Call): boolean {
  const hands_on = HANDS_ON.some((names) => names.has(call.name));
  for (const { text } of hands_on ? call.args.slice(0, 1) : call.args) {
    if (text === '--') return false;
    if (text === '--help' || text === '--version') return true;
  }
  return false;
}
