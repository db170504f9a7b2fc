// The CPU that a server of warm hooks takes for each event, without the shell and the launcher: this client speaks their protocol.
// Several builds take turns, for comparing a change with what was before it. The events of a turn repeat; each kind has its own line.
//   node test/bench/warm-server.mjs [rounds] [name=directory of guard] …
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { clientEnv, eventText, plainEnv } from './client-event.mjs';

const [rounds = '60', ...given] = process.argv.slice(2);
const ROUNDS = Number(rounds);
/** For V8 to compile what runs often. */
const FIRST_ROUNDS = 60;
/** As the launcher starts it. */
const FLAGS = ['--single-threaded-gc', '--always-sparkplug'];
const builds = given.length > 0 ? given : [`guard=${path.join(import.meta.dirname, '../..')}`];
const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'guard-bench-server-')));

async function start(build) {
  const [name, guard] = build.split('=');
  const [repo, home] = ['repo', 'home'].map((dir) => path.join(base, name, dir));
  for (const dir of [repo, home]) fs.mkdirSync(dir, { recursive: true });
  execFileSync('git', ['init', '-q'], { cwd: repo });
  fs.writeFileSync(path.join(repo, '10k.txt'), 'x'.repeat(79).concat('\n').repeat(128));
  const init = [path.join(guard, 'bin/guard.cjs'), 'init', '--preset', 'auto', '--scope', 'local'];
  execFileSync(process.execPath, init, { cwd: repo, env: plainEnv({ home }), stdio: 'pipe' });
  const state = path.join(repo, '.git/guard');
  const env = clientEnv({ repo, home }, 'bench');
  const child = spawn(process.execPath, [...FLAGS, path.join(guard, 'dist/serve-hooks.cjs'), state, repo], {
    ...{ cwd: repo, env, stdio: 'ignore' },
  });
  const dir = path.join(state, 'warm');
  const pidFile = () => fs.existsSync(dir) && fs.readdirSync(dir).find((one) => one.endsWith('.pid'));
  while (!pidFile()) await pause(20);
  const socket = path.join(dir, pidFile().replace('.pid', '.sock'));
  const variables = Object.entries(env).map((pair) => pair.join('='));
  return { name, repo, home, child, socket, variables: variables.join('\0'), calls: 0, cpu: {} };
}

const word = (value) => Buffer.from([24, 16, 8, 0].map((bits) => (value >>> bits) & 255));
const field = (text) => [word(Buffer.byteLength(text)), Buffer.from(text)];

const ask = ({ socket, repo, variables }, text) =>
  new Promise((resolve, reject) => {
    const fields = [randomBytes(10).toString('hex'), repo, variables, text].flatMap(field);
    const body = Buffer.concat([Buffer.from('E'), ...fields]);
    // A socket's address has at most 103 bytes.
    const connection = net.connect(path.relative(process.cwd(), socket));
    let bytes = 0;
    connection.once('data', () => {
      connection.on('data', (chunk) => (bytes += chunk.length));
      connection.write(Buffer.concat([word(body.length), body]));
    });
    connection.on('error', reject);
    connection.on('close', () => (bytes < 12 ? reject(new Error('no answer')) : resolve()));
  });

/** CPU milliseconds of a server's threads so far. */
const cpuOf = ({ child: { pid } }) =>
  fs
    .readdirSync(`/proc/${pid}/task`)
    .map((task) => Number(fs.readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]))
    .reduce((sum, ns) => sum + ns / 1e6, 0);

const file = (at) => path.join(at.repo, '10k.txt');
const content = (at) => fs.readFileSync(file(at), 'utf8');
const edit = (at) => ({ file_path: file(at), old_string: 'x', new_string: 'x', replace_all: false });
const edited = (at) => ({
  ...{ filePath: file(at), oldString: 'x', newString: 'x', originalFile: content(at), structuredPatch: [] },
});
const shown = (at) => ({
  ...{
    type: 'text',
    file: { filePath: file(at), content: content(at), numLines: 129, startLine: 1, totalLines: 129 },
  },
});
const event = (at, fields) => eventText(at, 'bench', fields);
const tool = (at, hook_event_name, tool_name, fields) =>
  event(at, { hook_event_name, tool_name, tool_use_id: `b${at.calls}`, ...fields });
const ls = { tool_input: { command: 'ls' } };
const ran = { tool_response: { stdout: '', stderr: '', interrupted: false, isImage: false } };
const KINDS = {
  UserPromptSubmit: (at) => event(at, { hook_event_name: 'UserPromptSubmit', prompt: 'go' }),
  'a tool that guard ignores': (at) => tool(at, 'PreToolUse', 'WebFetch', { tool_input: {} }),
  'PostToolUse Read': (at) =>
    tool(at, 'PostToolUse', 'Read', { tool_input: { file_path: file(at) }, tool_response: shown(at) }),
  'PreToolUse Edit': (at) => (++at.calls, tool(at, 'PreToolUse', 'Edit', { tool_input: edit(at) })),
  'PostToolUse Edit': (at) => {
    fs.writeFileSync(file(at), content(at));
    return tool(at, 'PostToolUse', 'Edit', { tool_input: edit(at), tool_response: edited(at) });
  },
  'PreToolUse Bash': (at) => (++at.calls, tool(at, 'PreToolUse', 'Bash', ls)),
  'PostToolUse Bash': (at) => tool(at, 'PostToolUse', 'Bash', { ...ls, ...ran }),
  Stop: (at) => event(at, { hook_event_name: 'Stop', background_tasks: [] }),
};

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

const servers = await Promise.all(builds.map(start));
try {
  process.chdir(base);
  for (let round = -FIRST_ROUNDS; round < ROUNDS; round++)
    for (const [kind, make] of Object.entries(KINDS))
      for (const at of round % 2 === 0 ? servers : servers.toReversed()) {
        const text = make(at);
        const before = cpuOf(at);
        await ask(at, text);
        // What it does after its answer counts too.
        await pause(2);
        if (round >= 0) (at.cpu[kind] ??= []).push(cpuOf(at) - before);
      }
  const load = os.loadavg()[0].toFixed(1);
  console.log(
    `CPU of the server, milliseconds: medians of ${ROUNDS}, Node ${process.version}, load ${load}\n`,
  );
  console.log(
    `| event | ${servers.map(({ name }) => name).join(' | ')} |\n|---|${'---|'.repeat(servers.length)}`,
  );
  for (const kind of Object.keys(KINDS))
    console.log(`| ${kind} | ${servers.map(({ cpu }) => median(cpu[kind]).toFixed(2)).join(' | ')} |`);
} finally {
  for (const { child } of servers) {
    child.kill();
    await once(child, 'exit');
  }
  process.chdir(os.tmpdir());
  fs.rmSync(base, { recursive: true, force: true });
}
