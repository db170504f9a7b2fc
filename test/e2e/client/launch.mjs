// Runs one client, usually inside its own network namespace, and leaves no process behind.
//
// argv[2]: {command, args, env, cwd, socket, isolated, run, turns?, open?}. `turns` are lines for the client's stdin,
// each sent when the previous one is answered; after the last one stdin ends, unless the session stays `open`. The
// Messages API listens on a Unix socket, which network namespaces do not separate; a TCP listener in here forwards to
// it. fd 3 is the lifeline: a line on it is a signal name for the client or, as JSON, a line for its stdin to send
// immediately (`null` ends stdin). When the lifeline ends, the test no longer waits for us. fd 4 gets {code, signal,
// left} at the end; `left` lists the processes that the client left behind, found by GUARD_E2E_RUN in their environment
// and killed.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';

const job = JSON.parse(process.argv[2]);
if (job.isolated) execFileSync('ip', ['link', 'set', 'lo', 'up']);

const bridge = net.createServer((client) => {
  const api = net.connect(job.socket);
  client.pipe(api).pipe(client);
  const drop = () => (client.destroy(), api.destroy());
  client.on('error', drop);
  api.on('error', drop);
});

bridge.listen(0, '127.0.0.1', () => {
  const env = {
    ...job.env,
    GUARD_E2E_RUN: job.run,
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${bridge.address().port}`,
  };
  const client = spawn(job.command, job.args, {
    cwd: job.cwd,
    env,
    stdio: job.turns ? ['pipe', 'pipe', 'inherit'] : ['inherit', 'inherit', 'inherit'],
    detached: true,
  });
  if (job.turns) converse(client, [...job.turns]);
  client.on('error', (error) => finish(127, null, error.message));
  client.on('exit', (code, signal) => finish(code, signal));
  watchLifeline(client);
});

/** The client's answers are passed on to our own stdout. */
function converse(client, turns) {
  let rest = '';
  const next = () => {
    if (turns.length > 0) client.stdin.write(`${turns.shift()}\n`);
    else if (!job.open) client.stdin.end();
  };
  client.stdin.on('error', () => undefined);
  client.stdout.on('data', (chunk) => {
    fs.writeSync(1, chunk);
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) if (/"type":"result"/.test(line) && JSON.parse(line).type === 'result') next();
  });
  next();
}

function watchLifeline(client) {
  const lifeline = new net.Socket({ fd: 3, readable: true, writable: false });
  lifeline.setEncoding('utf8');
  let rest = '';
  lifeline.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (line === 'null') client.stdin.end();
      else if (line.startsWith('{')) client.stdin.write(`${line}\n`);
      else client.kill(line);
    }
  });
  lifeline.on('error', () => finish(null, 'SIGKILL'));
  lifeline.on('end', () => finish(null, 'SIGKILL'));
}

let finished = false;
function finish(code, signal, problem) {
  if (finished) return;
  finished = true;
  const left = sweep();
  try {
    fs.writeSync(4, JSON.stringify({ code, signal, left, ...(problem && { problem }) }) + '\n');
  } catch {
    // The reader is gone.
  }
  process.exit(0);
}

/**
 * Kills until none is left, since a process may fork between two looks; five seconds at most. A hook's background
 * process (the fence's copy of the leases) ends within moments, but sometimes after the client: it gets two seconds.
 */
function sweep() {
  for (let round = 0; ours().length > 0 && round < 100; round++) pause(20);
  const left = [];
  for (let round = 0, found = ours(); found.length > 0 && round < 500; round++, found = ours()) {
    for (const one of found) {
      if (!left.some(({ pid }) => pid === one.pid)) left.push(one);
      try {
        process.kill(one.pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
    }
    pause(10);
  }
  return left;
}

const pause = (duration_ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, duration_ms);

function ours() {
  if (process.platform !== 'linux') return [];
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const carries = fs
          .readFileSync(`/proc/${name}/environ`, 'utf8')
          .split('\0')
          .includes(`GUARD_E2E_RUN=${job.run}`);
        const state = fs.readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\) /, '')[0];
        return carries && state !== 'Z'
          ? [
              {
                pid: Number(name),
                line: fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
              },
            ]
          : [];
      } catch {
        return [];
      }
    });
}
