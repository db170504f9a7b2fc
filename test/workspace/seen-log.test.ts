/** Several hooks of one agent append to its log while others shorten it, and are killed while doing so. */
import fs from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { baselineFiles } from '../../src/workspace/baseline-file.ts';
import { addAlone, shorten } from '../../src/workspace/seen-log.ts';
import { sealLine } from '../../src/store/sealed-line.ts';
import { bundleText, writeBundle } from '../store/bundle.ts';
import { makeDir, removeDir, run } from '../store/scratch.ts';

function scratchDir(): string {
  const dir = makeDir();
  onTestFinished(() => removeDir(dir));
  return dir;
}

const AGENT = 'claude-1';
const WRITERS = 3;
const ROUNDS = Number(process.env['GUARD_SEEN_ROUNDS'] ?? 1_500);
const digestOf = (n: number): string => n.toString(16).padStart(64, '0');

/** Writes for a number of rounds, and reports the last acknowledged entry of each path. */
const writer = (): string =>
  writeBundle(
    bundleText(`
      import { writeSync } from 'node:fs';
      import { baselineFiles } from './src/workspace/baseline-file.ts';
      const [dir, own, rounds] = process.argv.slice(2);
      const files = baselineFiles(dir, '${AGENT}');
      for (let n = 1; n <= Number(rounds); n++) {
        const path = own + '/' + (n % 7);
        const digest = (n * 16 + Number(own)).toString(16).padStart(64, '0');
        files.write(path, { turn: 1, knows: 'content', digest });
        writeSync(1, JSON.stringify([path, digest]) + '\\n');
      }
    `),
  );

const shortener = (): string =>
  writeBundle(
    bundleText(`
      import { shorten } from './src/workspace/seen-log.ts';
      for (;;) shorten(process.argv[2] + '/seen/${AGENT}.log');
    `),
  );

describe('a log that is made shorter while hooks add to it', () => {
  it('has every line that was acknowledged, whoever is killed', async () => {
    const dir = scratchDir();
    const [write, cut] = [writer(), shortener()];
    const writers = Array.from({ length: WRITERS }, (_, own) =>
      run(write, [dir, String(own), String(ROUNDS)]),
    );
    const ended = Promise.all(writers.map((one) => one.ended));
    const state = { over: false };
    let kills = 0;
    const killing = (async (): Promise<void> => {
      while (!state.over) {
        const running = run(cut, [dir]);
        await new Promise((resolve) => setTimeout(resolve, 60 + ((kills * 37) % 60)));
        running.child.kill('SIGKILL');
        await running.ended;
        kills++;
      }
    })();
    const ends = await ended;
    state.over = true;
    await killing;
    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual(ends.map(() => [0, '']));
    const files = baselineFiles(dir, AGENT);
    const told = new Map(ends.flatMap(({ lines }) => lines as [string, string][]));
    expect(told.size).toBe(WRITERS * 7);
    for (const [path, digest] of told) expect(files.read(path)?.digest, path).toBe(digest);
    expect(kills).toBeGreaterThan(2);
    const bytes = fs.statSync(`${dir}/seen/${AGENT}.log`).size;
    expect(bytes).toBeLessThan(
      (WRITERS * ROUNDS * sealLine({ v: 1, path: '0/0', turn: 1, digest: digestOf(1) }).length) / 2,
    );
  }, 120_000);

  it('that somebody left half made is of no use: what comes meanwhile is added, and it goes', () => {
    const dir = scratchDir();
    const log = `${dir}/seen/${AGENT}.log`;
    const files = baselineFiles(dir, AGENT);
    files.write('a', { turn: 1, knows: 'content', digest: digestOf(1) });
    fs.writeFileSync(`${log}~`, 'half');
    files.write('a', { turn: 1, knows: 'content', digest: digestOf(2) });
    expect(files.read('a')?.digest).toBe(digestOf(2));
    expect(fs.existsSync(`${log}~`)).toBe(false);
  });

  it('takes in a line that was written into the old file after it had been read', () => {
    const dir = scratchDir();
    const log = `${dir}/seen/${AGENT}.log`;
    const files = baselineFiles(dir, AGENT);
    for (let n = 0; n < 10; n++) files.write('a', { turn: 1, knows: 'content', digest: digestOf(n) });
    const late = fs.openSync(log, 'a');
    shorten(log);
    const line = sealLine({ v: 1, path: 'a', turn: 1, knows: 'content', digest: digestOf(99) });
    fs.writeSync(late, line);
    expect(fs.statSync(log).ino).not.toBe(fs.fstatSync(late).ino);
    expect(files.read('a')?.digest).toBe(digestOf(9));
    addAlone(log, Buffer.from(line));
    expect(files.read('a')?.digest).toBe(digestOf(99));
    fs.closeSync(late);
  });

  it('does not put what was seen before behind what was seen later', () => {
    const dir = scratchDir();
    const log = `${dir}/seen/${AGENT}.log`;
    const files = baselineFiles(dir, AGENT);
    const seen = (n: number, at: number): Buffer =>
      Buffer.from(sealLine({ v: 1, path: 'a', turn: 1, knows: 'content', digest: digestOf(n), at }));
    addAlone(log, seen(1, 1_000));
    addAlone(log, seen(2, 2_000));
    addAlone(log, seen(1, 1_000));
    expect(files.read('a')?.digest).toBe(digestOf(2));
    addAlone(log, seen(1, 3_000));
    expect(files.read('a')?.digest).toBe(digestOf(1));
    addAlone(log, seen(1, 3_000));
    expect(fs.readFileSync(log, 'utf8').split('\n').length - 1).toBe(3);
  });
});
