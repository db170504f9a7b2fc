import fs from 'node:fs';
import { execFileSync } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Baseline } from '../../src/core/rules/baseline.ts';
import { baselineFiles } from '../../src/workspace/baseline-file.ts';
import { sealLine } from '../../src/store/sealed-line.ts';
import { nameHash } from '../../src/repo/name-hash.ts';
import { seenAt, seenBy } from '../../src/workspace/seen.ts';
import { makeDir, removeDir } from '../store/scratch.ts';

function scratchDir(): string {
  const dir = makeDir();
  onTestFinished(() => removeDir(dir));
  return dir;
}

const AGENT = 'claude-1';
/** All names but the one lock that the agents share. */
const namesIn = (dir: string): readonly string[] =>
  fs.readdirSync(`${dir}/seen`).filter((name) => name !== 'lock');
const digestOf = (n: number): string => n.toString(16).padStart(64, '0');
const saw = (n: number): Baseline => ({ turn: 1, knows: 'content', digest: digestOf(n) });
const UNVERIFIED = { knows: 'unverified', digest: null };

function place() {
  const dir = scratchDir();
  const log = `${dir}/seen/${AGENT}.log`;
  return { dir, log, files: baselineFiles(dir, AGENT) };
}

describe('what an agent has seen', () => {
  it('is what was written last, of each path, in one file for it alone', () => {
    const { dir, log, files } = place();
    const names = ['a', 'a"b', 'ä\n', '//tree/a', 'b{"v":1,"path":"a",'];
    for (let n = 0; n < 3; n++) names.forEach((name, at) => files.write(name, saw(10 * n + at)));
    expect(names.map((name) => files.read(name)?.digest)).toEqual(names.map((_, at) => digestOf(20 + at)));
    expect(files.read('c')).toBeNull();
    expect(baselineFiles(dir, 'claude-2').read('a')).toBeNull();
    expect(namesIn(dir)).toEqual([`${AGENT}.log`]);
    expect(fs.statSync(log).mode & 0o777).toBe(0o600);
    expect([...seenBy(dir, AGENT)].map(({ path }) => path)).toEqual(names.toReversed());
    expect(Math.abs((seenAt(dir, AGENT, 'a') ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it('of an earlier guard is read until it is seen again, and nothing is written there', () => {
    const { dir, files } = place();
    const old = `${dir}/baselines/${AGENT}`;
    fs.mkdirSync(old, { recursive: true });
    for (const name of ['a', 'b'])
      fs.writeFileSync(`${old}/${nameHash(name)}.json`, sealLine({ v: 1, path: name, ...saw(1) }));
    fs.writeFileSync(`${old}/${nameHash('c')}.json`, 'torn');
    files.write('a', saw(2));
    expect(['a', 'b'].map((name) => files.read(name)?.digest)).toEqual([digestOf(2), digestOf(1)]);
    expect(files.read('c')).toMatchObject(UNVERIFIED);
    expect([...seenBy(dir, AGENT)].map(({ path, baseline }) => [path, baseline.digest])).toEqual([
      ['a', digestOf(2)],
      ['b', digestOf(1)],
    ]);
    expect(fs.readdirSync(old)).toHaveLength(3);
  });

  it('is what it was before a line that a killed hook left half written', () => {
    const { log, files } = place();
    files.write('a', saw(1));
    const line = sealLine({ v: 1, path: 'a', ...saw(2) });
    const whole = fs.readFileSync(log);
    for (let bytes = 0; bytes < line.length; bytes++) {
      fs.writeFileSync(log, Buffer.concat([whole, Buffer.from(line.slice(0, bytes))]));
      expect(files.read('a')?.digest, String(bytes)).toBe(digestOf(1));
    }
    files.write('b', saw(3));
    expect(files.read('b')?.digest).toBe(digestOf(3));
    expect(files.read('a'), 'a line of its own is damaged now').toMatchObject(UNVERIFIED);
    files.write('a', saw(4));
    expect(files.read('a')?.digest).toBe(digestOf(4));
  });

  it('is not certain where its last line was changed, nor after the log was shortened then', () => {
    const { log, files } = place();
    files.write('a', saw(1));
    files.write('a', saw(2));
    fs.writeFileSync(log, fs.readFileSync(log, 'utf8').replace(digestOf(2), digestOf(3)));
    expect(files.read('a')).toMatchObject(UNVERIFIED);
    for (let n = 0; n < 4_000; n++) files.write('b', saw(n));
    expect(fs.statSync(log).size).toBeLessThan(600_000);
    expect(files.read('a')).toMatchObject(UNVERIFIED);
  });

  it('is not certain, and not written, behind a link or a directory', () => {
    const puts: ((log: string) => void)[] = [
      (log) => fs.symlinkSync(`${log}-target`, log),
      (log) => {
        fs.mkdirSync(log);
      },
    ];
    for (const put of puts) {
      const { log, files } = place();
      files.write('a', saw(1));
      fs.renameSync(log, `${log}-target`);
      put(log);
      expect(files.read('a')).toMatchObject(UNVERIFIED);
      expect(() => files.write('a', saw(2))).toThrow();
      expect(fs.readFileSync(`${log}-target`, 'utf8').split('\n')).toHaveLength(2);
    }
  });

  it('keeps no hook waiting where there is a pipe', () => {
    const { log, files } = place();
    files.write('a', saw(1));
    fs.rmSync(log);
    execFileSync('mkfifo', [log]);
    expect(files.read('a')).toBeNull();
    expect(() => files.write('a', saw(2))).toThrow();
  });

  it('fills no file system: one inode for 10,000 files, and no more than twice what counts', () => {
    const { dir, log, files } = place();
    const names = Array.from({ length: 10_000 }, (_, n) => `src/some/where/file-${n}.ts`);
    for (let n = 0; n < 2; n++) names.forEach((name, at) => files.write(name, saw(n * 10_000 + at)));
    expect(namesIn(dir)).toEqual([`${AGENT}.log`]);
    const counting = names.reduce(
      (sum, path, n) => sum + sealLine({ v: 1, path, ...saw(n), at: Date.now() }).length,
      0,
    );
    expect(fs.statSync(log).size).toBeLessThan(2 * counting + (1 << 19));
    for (const at of [0, 1, 4_999, 9_999])
      expect(files.read(names[at] ?? '')?.digest).toBe(digestOf(10_000 + at));
  });
});
