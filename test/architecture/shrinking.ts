/**
 * Known violations of the structure, in structure.json: a listed one may stay or shrink, and none may be added.
 * `GUARD_SHRINK=1 npx vitest run test/architecture` removes the ones that were fixed; it adds nothing.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './sources.ts';

const FILE = join(ROOT, 'test/architecture/structure.json');

interface Listed {
  /** Why these are accepted. */
  readonly why: string;
  readonly known: Readonly<Record<string, number>>;
}

type Lists = Readonly<Record<string, Listed>>;

export const readLists = (): Lists => JSON.parse(readFileSync(FILE, 'utf8')) as Lists;

export interface Difference {
  /** As lines for the list, for a change that has to add them. */
  readonly worse: readonly string[];
  /** Listed, but fixed. */
  readonly mended: readonly string[];
}

/** @param found the current violations: name to size */
export function compare(
  known: Readonly<Record<string, number>>,
  found: ReadonlyMap<string, number>,
): Difference {
  const worse = [...found].filter(([name, count]) => count > (known[name] ?? 0));
  return {
    worse: worse.map(([name, count]) => `${JSON.stringify(name)}: ${count}`).sort(),
    mended: Object.keys(known).filter((name) => !found.has(name)),
  };
}

/** How the current violations differ from the list of that name. */
export function sinceListed(name: string, found: ReadonlyMap<string, number>): Difference {
  const lists = readLists();
  const listed = lists[name];
  if (listed === undefined) throw new Error(`structure.json has no list "${name}"`);
  if (process.env['GUARD_SHRINK'] === undefined) return compare(listed.known, found);
  const known = Object.fromEntries(
    Object.entries(listed.known).flatMap(([key, count]) => {
      const now = found.get(key);
      return now === undefined ? [] : [[key, Math.min(count, now)]];
    }),
  );
  const temporary = `${FILE}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify({ ...lists, [name]: { ...listed, known } }, null, 2)}\n`);
  // Other tests read the file at the same time.
  renameSync(temporary, FILE);
  return compare(known, found);
}

export const NOTHING: Difference = { worse: [], mended: [] };
