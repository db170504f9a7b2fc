// Preloaded into a hook's process or a server: shifts its clocks, makes operations on the state directory fail, or kills it, as a
// file says. A server reads that file whenever it takes an event.
'use strict';
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');

const isServer = /serve-hooks\.cjs$/.test(process.argv[1] ?? '');
const { readFileSync, writeSync } = fs;
const WRITES = fs.constants.O_WRONLY | fs.constants.O_RDWR;

const SLOW = 20n;

const die = () => process.kill(process.pid, 'SIGKILL');

/** @param file what to do, as JSON (turns.ts) @param state_dir the directory that it affects */
module.exports = function turn(file, state_dir) {
  let plan = {};
  let touched = 0;
  const { hrtime, chdir } = process;
  /** When this process read the plan. */
  let read_ns = 0n;
  const readPlan = () => {
    plan = JSON.parse(readFileSync(file, 'utf8'));
    read_ns = hrtime.bigint();
    touched = 0;
  };
  readPlan();
  const paths = new Map();
  const pathOf = (target) => (typeof target === 'number' ? paths.get(target) : String(target));
  const isMeant = (path) =>
    path !== undefined && path.startsWith(`${state_dir}/`) && new RegExp(plan.fails?.files ?? '').test(path);

  /** Called before each operation that changes the disk. */
  const touch = (path, tear) => {
    if (!isServer || plan.dies?.at !== 'touch' || path === undefined || !path.startsWith(`${state_dir}/`))
      return;
    touched += 1;
    if (touched < plan.dies.nth) return;
    if (plan.dies.is_torn) tear?.();
    die();
  };
  const fail = (path, kind, name) => {
    if (plan.fails?.kind !== kind || !isMeant(path)) return;
    const { code } = plan.fails;
    throw Object.assign(new Error(`${code}: injected, ${name}`), { code, errno: -1, syscall: name });
  };
  const wrap = (name, { kinds, target = 0, tear, touches = true }) => {
    const real = fs[name];
    fs[name] = (...args) => {
      const path = pathOf(args[target]);
      for (const kind of kinds) fail(path, kind, name);
      if (touches) touch(path, tear && (() => tear(real, args)));
      return real(...args);
    };
  };
  wrap('writeSync', {
    kinds: ['full', 'read_only'],
    tear: (real, [fd, bytes, offset = 0, size = bytes.length - offset, position = null]) =>
      real(fd, bytes, offset, Math.floor(size / 2), position),
  });
  for (const name of ['writeFileSync', 'mkdirSync']) wrap(name, { kinds: ['full', 'read_only'] });
  for (const name of ['unlinkSync', 'rmdirSync', 'rmSync', 'ftruncateSync'])
    wrap(name, { kinds: ['read_only'] });
  for (const name of ['renameSync', 'linkSync', 'copyFileSync'])
    wrap(name, { kinds: ['read_only'], target: 1 });
  for (const name of ['fsyncSync', 'fdatasyncSync']) wrap(name, { kinds: ['sync'], touches: false });
  wrap('readSync', { kinds: ['unreadable'], touches: false });

  const { openSync, closeSync } = fs;
  fs.openSync = (path, flags = 'r', ...rest) => {
    const isWrite = typeof flags === 'string' ? /[wa+]/.test(flags) : (flags & WRITES) !== 0;
    if (isWrite) fail(String(path), 'read_only', 'open');
    const fd = openSync(path, flags, ...rest);
    paths.set(fd, String(path));
    return fd;
  };
  fs.closeSync = (fd) => {
    paths.delete(fd);
    return closeSync(fd);
  };

  const { now } = Date;
  const { uptime } = os;
  // Until an event is told how late it is, the clock is the machine's. From then on it begins each event where the plan says, and
  // is slow, so that what is due after some seconds is due at the same event on a busy machine, and in both repositories.
  const turned_ns = () => {
    const real_ns = hrtime.bigint();
    const { mono_ms = 0, at_ns } = plan;
    const ns = at_ns === undefined ? real_ns : BigInt(at_ns) + (real_ns - read_ns) / SLOW;
    return ns + BigInt(mono_ms) * 1_000_000n;
  };
  const turned = () => {
    const ns = turned_ns();
    return [Number(ns / 1_000_000_000n), Number(ns % 1_000_000_000n)];
  };
  process.hrtime = Object.assign(
    (since) => {
      const [seconds, nanoseconds] = turned();
      if (since === undefined) return [seconds, nanoseconds];
      const left = nanoseconds - since[1];
      return [seconds - since[0] - (left < 0 ? 1 : 0), left < 0 ? left + 1e9 : left];
    },
    { bigint: turned_ns },
  );
  Date.now = () => now() + (plan.wall_ms ?? 0);
  os.uptime = () => uptime() + (plan.boot_ms ?? 0) / 1000;

  if (!isServer) return;
  /** A server's first step for an event. */
  process.chdir = (dir) => {
    if (plan.dies?.at === 'begun') die();
    return chdir(dir);
  };
  const { write } = net.Socket.prototype;
  net.Socket.prototype.write = function (data, ...rest) {
    const isGreeting = typeof data === 'string' && data.startsWith('guard-warm ');
    if (isGreeting) readPlan();
    if (Buffer.isBuffer(data) && plan.dies?.at === 'half')
      writeSync(this._handle.fd, data, 0, data.length >> 1);
    if (Buffer.isBuffer(data) && /^(?:half|answered)$/.test(plan.dies?.at ?? '')) die();
    const done = write.call(this, data, ...rest);
    if (isGreeting && plan.dies?.at === 'greeted') die();
    return done;
  };
};
