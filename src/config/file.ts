// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Reads, parses and checks one configuration file; every failure names its place. */
import { GuardError } from '../core/error.ts';
import { readSmallFile } from '../repo/small-file.ts';
import { checkFile, spelled, type Layer } from './check.ts';
import type { FileOwner } from './own-keys.ts';
import { lineAndColumn, scanJson } from './json-text.ts';

export interface FoundLayer extends Layer {
  /** The line of a top-level key, for warnings. */
  readonly lineOf: (key: string) => number | null;
}

const MAX_BYTES = 65_536;

const UNREADABLE: Readonly<Record<string, string>> = {
  not_a_file: 'it is not a regular file',
  too_large: `it is larger than ${MAX_BYTES} bytes`,
  EACCES: 'this user may not read it',
};

export function configError(
  file: string,
  at: { line: number; column: number },
  reason: string,
  hint: string,
): GuardError {
  const message = `${file}:${at.line}:${at.column}: ${reason}.`;
  return new GuardError('GUARD_ERR_CONFIG', message, hint, { file, ...at, reason });
}

function parse(file: string, text: string, places: ReturnType<typeof scanJson>): unknown {
  const hint = 'Correct the file; it is plain JSON, without comments.';
  if (places.problem !== null) {
    throw configError(file, lineAndColumn(text, places.problem.offset), places.problem.reason, hint);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw configError(file, { line: 1, column: 1 }, `not valid JSON (${String(error)})`, hint);
  }
}

/** `null` if there is no such file. Throws GUARD_ERR_CONFIG with file, line, column and reason. */
export function readConfigFile(file: string, owner: FileOwner): FoundLayer | null {
  const read = readSmallFile(file, MAX_BYTES);
  if (read.state === 'missing') return null;
  if (read.state === 'unreadable') {
    const reason = `cannot be read: ${UNREADABLE[read.reason] ?? read.reason}`;
    throw configError(file, { line: 1, column: 1 }, reason, 'Correct or remove the file.');
  }
  // Editors on Windows begin a file with a byte order mark.
  const text = read.text.startsWith('\uFEFF') ? read.text.slice(1) : read.text;
  const places = scanJson(text);
  const { layer, problems } = checkFile(parse(file, text, places), owner);
  const placeOf = (pointer: string): number => {
    for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      const offset = places.places.get(at);
      if (offset !== undefined) return offset;
    }
    return 0;
  };
  const first = problems.toSorted((a, b) => placeOf(a.pointer) - placeOf(b.pointer))[0];
  if (first !== undefined)
    throw configError(file, lineAndColumn(text, placeOf(first.pointer)), first.reason, first.hint);
  const lineOf = (key: string): number | null => {
    const offset = places.places.get(`/${spelled(key)}`);
    return offset === undefined ? null : lineAndColumn(text, offset).line;
  };
  return { ...layer, lineOf };
}
