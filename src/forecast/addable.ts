/** Which of a checkout's changes go into its commit as they are, which as a pointer, and which not at all, with the reasons. */
import { createHash } from 'node:crypto';
import { createReadStream, lstatSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { plain } from '../core/plain.ts';
import type { IndexChanges } from './changes.ts';
import { textOfBytes, type ForecastGit, type GitTask } from './git.ts';

export interface Addable {
  readonly written: readonly string[];
  /** Input of `git update-index --index-info` for files that git stores as pointers. */
  readonly pointers: readonly string[];
  readonly notes: readonly string[];
}

/** Larger files are left out. */
const BYTES_MAX = 256 << 20;
const LFS = 'lfs';

/** @param filters values of the `filter` attribute that name a program; none of them is run */
export async function addableOf(
  git: ForecastGit,
  call: GitTask,
  { written }: IndexChanges,
  filters: readonly string[],
): Promise<Addable> {
  const notes: string[] = [];
  const small = written.filter((path) => {
    const size = attempt(() => lstatSync(absolute(call, path)).size, 0);
    if (size > BYTES_MAX) notes.push(`${shown(path)} is larger than 256 MiB and is left out.`);
    return size <= BYTES_MAX;
  });
  const filtered = await filterOf(git, call, small, filters);
  const pointers: string[] = [];
  const skipped = new Map<string, number>();
  for (const [path, filter] of filtered) {
    const entry = filter === LFS ? await pointerEntry(git, call, path) : null;
    if (entry !== null) pointers.push(entry);
    else skipped.set(filter, (skipped.get(filter) ?? 0) + 1);
  }
  for (const [filter, count] of skipped)
    notes.push(
      `The filter ${plain(filter)} is not run: ${count} files that use it count as they are in the index.`,
    );
  return { written: small.filter((path) => !filtered.has(path)), pointers, notes };
}

const absolute = ({ cwd }: GitTask, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${cwd}/`), Buffer.from(path, 'latin1')]);

const shown = (path: string): string => plain(textOfBytes(path));

async function filterOf(
  git: ForecastGit,
  call: GitTask,
  paths: readonly string[],
  filters: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (filters.length === 0 || paths.length === 0) return found;
  const input = paths.map((path) => `${path}\0`).join('');
  const said = (await git.ask({ ...call, input }, 'check-attr', '-z', '--stdin', 'filter')).split('\0');
  for (let at = 0; at + 2 < said.length; at += 3) {
    const [path = '', , bytes = ''] = said.slice(at, at + 3);
    const value = textOfBytes(bytes);
    if (filters.includes(value)) found.set(path, value);
  }
  return found;
}

/** The pointer that `git lfs clean` would make (see its spec.md). Null: the file is stored as it is, or cannot be read. */
async function pointerEntry(git: ForecastGit, call: GitTask, path: string): Promise<string | null> {
  const file = absolute(call, path);
  const stat = attempt(() => lstatSync(file), null);
  if (stat?.isFile() !== true) return null;
  const text = stat.size === 0 ? '' : await pointerText(file, stat.size);
  if (text === null) return null;
  const oid = (await git.ask({ ...call, input: text }, 'hash-object', '-w', '--stdin')).trim();
  return `${(stat.mode & 0o100) === 0 ? '100644' : '100755'} ${oid}\t${path}`;
}

const BEGINS = 'version https://git-lfs.github.com/spec/v1\n';
const POINTER_BYTES_MAX = 1024;

async function pointerText(file: Buffer, size: number): Promise<string | null> {
  const hash = createHash('sha256');
  const head: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      if (size < POINTER_BYTES_MAX) head.push(chunk);
      hash.update(chunk);
    }
  } catch {
    return null;
  }
  const text = Buffer.concat(head).toString('latin1');
  return text.startsWith(BEGINS) ? text : `${BEGINS}oid sha256:${hash.digest('hex')}\nsize ${size}\n`;
}
