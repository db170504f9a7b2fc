/**
 * A small process runs `spawnSync` and `execFileSync` for this one. On a fork, Linux copies the page tables, and frees
 * the
 * copy when the child runs its program; a test worker has up to half a gigabyte of them, and forks some 10,000 times.
 * Everything above that system call remains Node's own.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

const SERVER = join(import.meta.dirname, 'small-spawns-process.mjs');
const IS_DONE = Symbol.for('guard.test.small-spawns');
/** Size of the length prefix of each message. */
export const HEAD_BYTES = 4;
const PAUSE_MS = 1;
const START_MS = 20_000;

/** The binding that internal/child_process calls: plain options in, a plain result out. */
export const native = () => process.binding('spawn_sync');

export function spawnSmall() {
  if (process.platform !== 'linux' || process.env['GUARD_TEST_PROCESSES'] === '1' || globalThis[IS_DONE])
    return;
  globalThis[IS_DONE] = true;
  const binding = native();
  const { spawn: here } = binding;
  let server;
  binding.spawn = (asked) => {
    if (!canSend(asked)) return here(asked);
    server ??= start(here);
    const options = { ...asked, cwd: asked.cwd ?? process.cwd(), umask: process.umask() };
    // `envPairs` contains it, and this object may not be serialisable.
    delete options.env;
    send(server.asked, serialize(options));
    const told = receive(server.told);
    if (told === null) throw new Error(`${SERVER} is gone`);
    return deserialize(told);
  };
}

/** A child can inherit descriptors only from its real parent. */
const canSend = ({ stdio }) => stdio.every(({ type }) => type === 'pipe' || type === 'ignore');

function start(here) {
  const dir = fs.mkdtempSync(join(tmpdir(), 'guard-spawns-'));
  const [to, from] = ['asked', 'told'].map((name) => join(dir, name));
  const stdio = [0, 1, 2].map(() => ({ type: 'ignore' }));
  here({
    file: '/bin/sh',
    args: ['sh', '-c', 'PATH=/usr/bin:/bin mkfifo -m 600 "$@"', 'sh', to, from],
    stdio,
  });
  const asked = fs.openSync(to, 'r+');
  const early = fs.openSync(from, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  spawn(process.execPath, ['--v8-pool-size=0', SERVER, to, from], {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'inherit'],
  }).unref();
  untilReady(early);
  // The writer exists, so this does not block; from now on, its exit ends a read.
  const told = fs.openSync(from, 'r');
  fs.closeSync(early);
  fs.rmSync(dir, { recursive: true });
  return { asked, told };
}

function untilReady(fd) {
  const one = Buffer.alloc(1);
  const sleeping = new Int32Array(new SharedArrayBuffer(4));
  for (let left_ms = START_MS; left_ms > 0; left_ms -= PAUSE_MS) {
    try {
      if (fs.readSync(fd, one) === 1) return;
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
    Atomics.wait(sleeping, 0, 0, PAUSE_MS);
  }
  throw new Error(`${SERVER} did not start`);
}

export function send(fd, bytes) {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(bytes.length);
  for (const part of [head, bytes]) for (let at = 0; at < part.length;) at += fs.writeSync(fd, part, at);
}

/** @returns null once the other side has closed */
export function receive(fd) {
  const head = readAll(fd, HEAD_BYTES);
  return head === null ? null : readAll(fd, head.readUInt32LE());
}

function readAll(fd, length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length;) {
    const size = fs.readSync(fd, bytes, at, length - at, null);
    if (size === 0) return null;
    at += size;
  }
  return bytes;
}
