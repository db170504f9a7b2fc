import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, sep } from 'node:path';
import { attempt } from '../core/attempt.ts';

/**
 * The program that a shell would run for `name`, or null. Directories that only npm puts on PATH are left out: what `npx
 * guard init` finds there, an agent's shell does not find.
 */
export const findOnPath = (name: string, path: string | undefined): string | null =>
  programIn(
    dirsOf(path).filter((dir) => !isNpmOwn(dir)),
    name,
  );

/** The same including npm's directories, for programs that this process starts right now. */
export const findOnWholePath = (name: string, path: string | undefined): string | null =>
  findOnPath(name, path) ?? programIn(dirsOf(path), name);

const dirsOf = (path: string | undefined): readonly string[] =>
  (path ?? '').split(delimiter).filter((dir) => isAbsolute(dir));

const programIn = (dirs: readonly string[], name: string): string | null =>
  dirs.map((dir) => join(dir, name)).find(isProgram) ?? null;

const isNpmOwn = (dir: string): boolean =>
  dir.includes(`${sep}node_modules${sep}.bin`) || dir.endsWith('node-gyp-bin');

const isProgram = (file: string): boolean =>
  attempt(() => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  }, false);
