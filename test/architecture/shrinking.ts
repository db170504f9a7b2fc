/**
 * What the structure does not yet keep to, in structure.json: what is listed there may stay or become less, and nothing
 * may come to it. `GUARD_SHRINK=1 npx vitest run test/architecture` takes out what is mended; it adds nothing.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './sources.ts';

const FILE = join(ROOT, 'test/architecture/structure.json');

interface Listed {
  /** Why the list is as it is. */
  readonly why: string;
  readonly known: Readonly<Record<string, number>>;
}

type Lists = Readonly<Record<string, Listed>>;

export const readLists = (): Lists => JSON.parse(readFileSync(FILE, 'utf8')) as Lists;

export interface Difference {
  /** As lines for the list, so that whoever must may write them down. */
  readonly worse: readonly string[];
  /** Listed, and mended. */
  readonly mended: readonly string[];
}

/** @param found what is wrong now, by name, with how much of it */
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

/** What differs from the list of that name. */
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
  // Other tests read it meanwhile.
  renameSync(temporary, FILE);
  return compare(known, found);
}

export const NOTHING: Difference = { worse: [], mended: [] };
