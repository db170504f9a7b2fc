/**
 * Large files (git-lfs): git has a pointer, with the digest of what is on disk. Its filter is a program and is not run, so git takes
 * such a file for changed as soon as its times are others; the pointer itself says whether it is.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../repo/small-file.ts';
import type { Act, Touch, TouchedFile } from './act.ts';

/** Together; what is more counts as changed. */
const MOST_BYTES = 64 << 20;
const MOST_FILES = 200;

export function heedPointers(act: Act, touch: Touch): Touch {
  const { files = [] } = touch;
  const asked = files.filter(({ loses, is_tree }) => loses !== 'nothing' && is_tree !== true);
  if (asked.length === 0 || asked.length > MOST_FILES || !hasPointers(act)) return touch;
  const pointers = pointersOf(act, asked);
  let left_bytes = MOST_BYTES;
  const isWhole = ({ path }: TouchedFile): boolean => {
    const oid = pointers.get(path);
    const abs = join(act.root, path);
    const stat = oid === undefined ? undefined : statSync(abs, { throwIfNoEntry: false });
    if (stat?.isFile() !== true || (left_bytes -= stat.size) < 0) return false;
    return createHash('sha256').update(readFileSync(abs)).digest('hex') === oid;
  };
  const whole = new Set(asked.filter(isWhole));
  return { ...touch, files: files.map((file) => (whole.has(file) ? { ...file, loses: 'nothing' } : file)) };
}

const hasPointers = ({ root, common_dir }: Act): boolean =>
  [join(root, '.gitattributes'), join(common_dir, 'info', 'attributes')].some(
    (file) => textOf(file, 1 << 16)?.includes('filter=lfs') === true,
  );

/** Those that HEAD and the index have alike: nothing is staged. `HEAD:name NUL oid sha256:…` */
function pointersOf({ git, root }: Act, files: readonly TouchedFile[]): ReadonlyMap<string, string> {
  const paths = files.map(({ path }) => `:(top,literal)${path}`);
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
