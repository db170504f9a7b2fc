/** Preloaded into a program that starts hooks and commands of this package: warm processes answer them. */
import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { ask } from './warm-pool.mjs';

const PACKAGE = join(import.meta.dirname, '../../..');
const OURS = [join(PACKAGE, 'dist/hook.cjs'), join(PACKAGE, 'bin/guard.mjs')];
const { spawn } = childProcess;

childProcess.spawn = (file, args, options) =>
  file === process.execPath && OURS.includes(args[0]) ? answered(args, options) : spawn(file, args, options);
syncBuiltinESMExports();

function answered(args, { cwd = process.cwd(), env }) {
  const child = Object.assign(new EventEmitter(), { stdout: new PassThrough(), stderr: new PassThrough() });
  const chunks = [];
  child.stdin = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
    final(done) {
      void ask({ args, cwd, env, stdin: Buffer.concat(chunks) }).then((told) => answer(child, told));
      done();
    },
  });
  return child;
}

/** `close` comes once all output has been read. */
async function answer(child, { exit, stdout, stderr }) {
  const ends = [child.stdout, child.stderr].map(
    (stream) => new Promise((resolve) => stream.on('end', resolve)),
  );
  child.stdout.end(stdout);
  child.stderr.end(stderr);
  await Promise.all(ends);
  child.emit('close', exit);
}
