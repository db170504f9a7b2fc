/** The standalone binary, built once for a test file, on a PATH without Node. */
import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOnPath } from '../../src/install/find-on-path.ts';
import { PACKAGE } from '../claude/driver.ts';

const FUSE = 'NODE_SEA_FUSE_';
const PROGRAMS = ['git', 'sh', 'perl', 'cat'];

/** Whether this Node can contain a program. A distribution's may not: loud, and an error with GUARD_BINARY_REQUIRED=1. */
export function binaryHere(): boolean {
  if (readFileSync(process.execPath).includes(FUSE)) return true;
  if (process.env['GUARD_BINARY_REQUIRED'] === '1')
    throw new Error(`GUARD_BINARY_REQUIRED=1, and ${process.execPath} cannot contain a program.`);
  process.stderr.write(`SKIPPED: the standalone binary; ${process.execPath} cannot contain a program.\n`);
  return false;
}

export interface Standalone {
  readonly file: string;
  readonly home: string;
  readonly repo: string;
  readonly run: (words: readonly string[], input?: string) => SpawnSyncReturns<string>;
  readonly shell: (line: string, input: string) => SpawnSyncReturns<string>;
  readonly remove: () => void;
}

export function makeStandalone(): Standalone {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'guard-standalone-')));
  const [bin, home, repo] = ['bin', 'home', 'repo'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const file = join(bin, 'guard');
  for (const dir of [bin, home, repo]) mkdirSync(dir);
  for (const name of PROGRAMS) symlinkSync(findOnPath(name, process.env['PATH']) ?? '', join(bin, name));
  execFileSync('git', ['init', '--quiet'], { cwd: repo });
  execFileSync(process.execPath, [join(PACKAGE, 'scripts/binary.mjs'), file]);
  const run = (program: string, words: readonly string[], input = '') =>
    spawnSync(program, words, {
      ...{ cwd: repo, input, encoding: 'utf8', timeout: 60_000 },
      env: { HOME: home, PATH: bin, CLAUDE_PROJECT_DIR: repo },
    });
  return {
    ...{ file, home, repo },
    run: (words, input) => run(file, words, input),
    shell: (line, input) => run(join(bin, 'sh'), ['-c', line], input),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
