// A scratch repository with real processes: guard's commands, and the hooks of its settings as a client runs them.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const GUARD = fileURLToPath(new URL('../../bin/guard.cjs', import.meta.url));
/** Only these are passed on: nothing of the session or the setup that the demo is started from. */
const PASSED = ['LANG', 'LC_ALL', 'TMPDIR', 'TERM', 'NO_COLOR'];

export function openStage() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'guard-demo-')));
  const [repo, home, bin] = ['repo', 'home', 'bin'].map((name) => join(root, name));
  for (const dir of [repo, home, bin]) mkdirSync(dir);
  // What `npm link` does, so that agents can call "guard".
  symlinkSync(GUARD, join(bin, 'guard'));
  const passed = PASSED.filter((name) => process.env[name] !== undefined);
  const env = {
    ...Object.fromEntries(passed.map((name) => [name, process.env[name]])),
    HOME: home,
    PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter),
  };
  const running = new Set();
  const hook_times = [];

  /** Starts a process; `ended` resolves with its output, exit code and signal. */
  function start(program, args, { input = '', more_env = {} } = {}) {
    const start_ms = performance.now();
    // In a separate group, so that an interrupt also reaches what a shell started.
    const child = spawn(program, args, { cwd: repo, env: { ...env, ...more_env }, detached: true });
    running.add(child);
    const out = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => (out[name] += text));
    child.stdin.on('error', () => undefined).end(input);
    const ended = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (exit, signal) => {
        running.delete(child);
        resolve({ ...out, exit, signal, ms: performance.now() - start_ms });
      });
    });
    return { ended, interrupt: () => process.kill(-child.pid, 'SIGINT') };
  }

  const run = (program, args, options) => start(program, args, options).ended;
  const path = (name) => join(repo, name);

  return {
    repo,
    path,
    read: (name) => readFileSync(path(name), 'utf8'),
    write(name, text) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), text);
    },
    git(...args) {
      const { status, stderr, error } = spawnSync('git', args, { cwd: repo, env, encoding: 'utf8' });
      if (status !== 0) throw new Error(`git ${args.join(' ')}: ${error?.message ?? stderr}`);
    },
    start,
    run,
    guard: (args, options) => run('guard', args, options),
    async guardJson(args, options) {
      const { stdout, stderr } = await run('guard', [...args, '--json'], options);
      if (stdout === '') throw new Error(`guard ${args.join(' ')} printed nothing: ${stderr}`);
      return JSON.parse(stdout);
    },
    /** Runs every hook of the project's settings for this event, through a shell, as the client does. */
    async hooks(event, more_env) {
      const input = `${JSON.stringify(event)}\n`;
      const commands = listening(JSON.parse(readFileSync(path('.claude/settings.json'), 'utf8')), event);
      const ends = await Promise.all(
        commands.map((command) => run('/bin/sh', ['-c', command], { input, more_env })),
      );
      hook_times.push(...ends.map(({ ms }) => ms));
      return ends;
    },
    hookTimes: () => [...hook_times],
    dispose() {
      for (const child of running) process.kill(-child.pid, 'SIGKILL');
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** The client's matcher: a whole name or a list of names; events without a tool have none. */
function listening({ hooks }, { hook_event_name, tool_name = '' }) {
  const entries = hooks[hook_event_name] ?? [];
  return entries
    .filter(({ matcher = '' }) => matcher === '' || matcher.split('|').includes(tool_name))
    .flatMap((entry) => entry.hooks.map(({ command }) => command));
}

export const sha256 = (text) => createHash('sha256').update(text).digest('hex');
