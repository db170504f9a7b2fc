/** `current.json`: which version of the home is in use. Replaced atomically, so a hook that starts now finds one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parsedObject } from '../../core/json-object.ts';
import { textOf } from '../../repo/small-file.ts';
import { POINTER, VERSIONS } from './home.ts';
import { replaceFile } from './whole-file.ts';

export interface Pointer {
  readonly v: 1;
  /** Name of a directory in `versions`. */
  readonly dir: string;
}

const MAX_BYTES = 4096;
/** A version, a dash and part of a digest: nothing that leads elsewhere. */
export const DIR_NAME = /^(\d[\w.+-]*)-[0-9a-f]{12}$/;

/** `null` if there is none, or it names nothing that can be run; no caller needs to tell these apart. */
export function readPointer(home: string): Pointer | null {
  const pointer = parsed(textOf(join(home, POINTER), MAX_BYTES));
  return pointer !== null && existsSync(join(versionDir(home, pointer), 'dist', 'hook.cjs')) ? pointer : null;
}

export const versionDir = (home: string, { dir }: Pointer): string => join(home, VERSIONS, dir);

export const versionOf = ({ dir }: Pointer): string => DIR_NAME.exec(dir)?.[1] ?? '0.0.0';

export function writePointer(home: string, dir: string): void {
  replaceFile(join(home, POINTER), `${JSON.stringify({ v: 1, dir } satisfies Pointer)}\n`);
}

function parsed(text: string | null): Pointer | null {
  const { v, dir } = parsedObject(text);
  return v === 1 && typeof dir === 'string' && DIR_NAME.test(dir) ? { v, dir } : null;
}
