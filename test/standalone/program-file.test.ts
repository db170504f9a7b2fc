import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settleProgram } from '../../src/install/program/settle.ts';
import { readPointer, versionDir } from '../../src/install/program/pointer.ts';
import { isProgramFile, refuseOtherFile } from '../../src/standalone/program-file.ts';
import { emptyHome, NOW_MS, program } from '../install/program/scratch.ts';

const homeIn = (home: string): { readonly home: string; readonly version: string } => {
  settleProgram(program('0.1.0'), home, NOW_MS);
  const pointer = readPointer(home);
  return { home, version: pointer === null ? '' : versionDir(home, pointer) };
};
const hookOf = (root: string): string => join(root, 'dist/hook.cjs');

describe('a binary runs', () => {
  it('the files of a program home, and of each version there', () => {
    const { home, version } = homeIn(emptyHome());
    for (const root of [home, version]) expect(isProgramFile(hookOf(root)), root).toBe(true);
    expect(isProgramFile(join(version, 'dist/cli/cli.mjs'))).toBe(true);
  });

  it('nothing that only has the name of guard', () => {
    expect(isProgramFile(hookOf(program('0.1.0')))).toBe(false);
  });

  it('no home that a repository contains, by whichever path', () => {
    const repo = join(emptyHome(), 'repo');
    mkdirSync(join(repo, '.git'), { recursive: true });
    const { home, version } = homeIn(join(repo, 'guard'));
    for (const root of [home, version]) expect(isProgramFile(hookOf(root)), root).toBe(false);
    const link = join(repo, '..', 'link');
    symlinkSync(home, link);
    expect(isProgramFile(hookOf(link))).toBe(false);
  });

  it('commands, but no program file that is missing', () => {
    for (const word of ['lock', '', './dist/hook.cjs', '/nowhere/a.txt']) refuseOtherFile(word);
    expect(() => refuseOtherFile(hookOf('/nowhere/guard'))).toThrow(
      expect.objectContaining({ code: 'GUARD_ERR_USAGE' }),
    );
  });
});
