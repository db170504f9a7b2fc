/** The program that a standalone binary contains, unpacked into the program home: once for each version and content. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { getAsset, getRawAsset } from 'node:sea';
import { cannotKeep } from '../install/program/cannot-keep.ts';
import { placeProgram } from '../install/program/copy.ts';
import { VERSIONS } from '../install/program/home.ts';
import { makeHome } from '../install/program/make-home.ts';

/** What the build writes next to the program's files (scripts/binary.mjs). */
interface Contents {
  readonly digest: string;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

/**
 * Its directory. Whether hooks use it is decided later, by the program itself (advanceProgram).
 * @throws GuardError GUARD_ERR_PATH, GUARD_ERR_IO, GUARD_ERR_UNSTABLE
 */
export function unpacked(home: string, name: string): string {
  const place = join(home, VERSIONS, name);
  if (existsSync(join(place, 'bin', 'guard.cjs'))) return place;
  const { digest, files } = JSON.parse(getAsset('contents.json', 'utf8')) as Contents;
  try {
    makeHome(home);
    placeProgram(home, {
      ...{ name, digest, from: process.execPath },
      files: files.map(({ path, mode }) => ({ path, mode, read: () => bytesOf(path) })),
    });
  } catch (error) {
    throw cannotKeep(home, error);
  }
  return place;
}

/** A view into the binary, not a copy. */
const bytesOf = (path: string): Uint8Array => new Uint8Array(getRawAsset(path) as ArrayBuffer);
