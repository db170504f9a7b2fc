/**
 * Files that git stores through a filter (git-lfs, git-crypt). The filter is a program and is not run, so git considers
 * such a file changed whenever it reads the bytes: if its times differ, or it was committed within a second of its last
 * change. The file is unchanged if all times, the size and the inode in the index match, or if the pointer of git-lfs
 * contains the digest of what is on disk.
 */
import { createHash } from 'node:crypto';
import { type BigIntStats, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../repo/small-file.ts';
import type { Act, Touch, TouchedFile } from './act.ts';
import { NAMES_ONLY } from './questions.ts';

/** In total; anything beyond counts as changed. */
const MOST_BYTES = 64 << 20;
const MOST_FILES = 200;

export function heedPointers(act: Act, touch: Touch): Touch {
  const { files = [] } = touch;
  const asked = files.filter(({ loses, is_tree }) => loses !== 'nothing' && is_tree !== true);
  if (asked.length === 0 || asked.length > MOST_FILES || !isSaid(act, 'filter=')) return touch;
  const pointers = isSaid(act, 'filter=lfs') ? pointersOf(act, asked) : new Map<string, string>();
  const unchanged = unchangedAmong(act, asked);
  let left_bytes = MOST_BYTES;
  const isWhole = ({ path }: TouchedFile): boolean => {
    if (unchanged.has(path)) return true;
    const oid = pointers.get(path);
    const abs = join(act.root, path);
    const stat = oid === undefined ? undefined : statSync(abs, { throwIfNoEntry: false });
    if (stat?.isFile() !== true || (left_bytes -= stat.size) < 0) return false;
    return createHash('sha256').update(readFileSync(abs)).digest('hex') === oid;
  };
  const whole = new Set(asked.filter(isWhole));
  return { ...touch, files: files.map((file) => (whole.has(file) ? { ...file, loses: 'nothing' } : file)) };
}

const isSaid = ({ root, common_dir }: Act, what: string): boolean =>
  [join(root, '.gitattributes'), join(common_dir, 'info', 'attributes')].some(
    (file) => textOf(file, 1 << 16)?.includes(what) === true,
  );

const pathspecOf = ({ path }: TouchedFile): string => `:(top,literal)${path}`;

/** git-ls-files(1), `--debug`: what the index stores about a file besides its content. */
const ENTRY =
  /([^\0]+)\0 {2}ctime: (\d+:\d+)\n {2}mtime: (\d+:\d+)\n {2}dev: \d+\tino: (\d+)\n.*\n {2}size: (\d+)\t.*\n/g;

/** Files that have not changed since they were added to the index, which in turn matches HEAD. */
function unchangedAmong({ git, root }: Act, files: readonly TouchedFile[]): ReadonlySet<string> {
  const paths = files.map(pathspecOf);
  const staged = git('-C', root, 'diff', '--cached', ...NAMES_ONLY, 'HEAD', '--', ...paths);
  const listed = git('-C', root, 'ls-files', '--debug', '-z', '--full-name', '--', ...paths);
  if (staged === null || listed === null) return new Set();
  const others = new Set(staged.split('\0'));
  const found = [...listed.matchAll(ENTRY)].filter(([, path = '', ...known]) => {
    const stat = statSync(join(root, path), { bigint: true, throwIfNoEntry: false });
    return stat !== undefined && !others.has(path) && statOf(stat).every((one, nth) => one === known[nth]);
  });
  return new Set(found.map(([, path = '']) => path));
}

/** The index stores 32 bits of each. */
const statOf = ({ ctimeNs, mtimeNs, ino, size }: BigIntStats): readonly string[] => [
  ...[ctimeNs, mtimeNs].map((ns) => `${ns / 1_000_000_000n}:${ns % 1_000_000_000n}`),
  ...[ino, size].map((number) => String(number & 0xffff_ffffn)),
];

/** Only pointers that are the same in HEAD and the index, so nothing is staged. `HEAD:name NUL oid sha256:…` */
function pointersOf({ git, root }: Act, files: readonly TouchedFile[]): ReadonlyMap<string, string> {
  const paths = files.map(pathspecOf);
  const look = ['-C', root, 'grep', '-z', '-a', '-F', '--full-name'];
  const lines = (said: string | null): readonly string[] => (said ?? '').split('\n');
  const staged = new Set(lines(git(...look, '--cached', 'oid sha256:', '--', ...paths)));
  const committed = lines(git(...look, 'oid sha256:', 'HEAD', '--', ...paths));
  return new Map(
    committed.flatMap((line) => {
      const [, path, oid] = /^HEAD:([^\0]+)\0oid sha256:([0-9a-f]{64})$/.exec(line) ?? [];
      const isStaged = !staged.has(line.slice('HEAD:'.length));
      return path === undefined || oid === undefined || isStaged ? [] : [[path, oid] as const];
    }),
  );
}
