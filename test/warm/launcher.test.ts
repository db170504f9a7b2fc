/** A launcher passes an event only to a server that it can trust, and runs the command in every other case. */
import fs from 'node:fs';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runLater } from '../claude/driver.ts';
import { greeting } from '../../src/warm/protocol.ts';
import {
  COLD,
  DIST,
  inItsPlace,
  isCold,
  launchWarm,
  type Launcher,
  LAUNCHERS,
  serve,
  stage,
  STAND_IN,
  type Stage,
  until,
  wordsFor,
} from './stage.ts';

const EVENT = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'WebFetch', tool_input: {} };
const edit = (at: Stage) => ({
  ...{ session_id: 's', cwd: at.root, hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_use_id: 't1' },
  tool_input: { file_path: at.path('.git/guard/install.json'), old_string: 'a', new_string: 'b' },
});

const staging = (launcher: Launcher) => (setup?: Parameters<typeof stage>[0]) => stage(setup, DIST, launcher);

/** A server that ends whenever it takes up an event, and how often that happened. */
async function endsAtTakeUp(at: Stage): Promise<{ readonly times: number }> {
  const taken = { times: 0 };
  await inItsPlace(at, (socket) => {
    socket.write(greeting(5));
    socket.once('data', () => {
      taken.times += 1;
      socket.destroy();
    });
  });
  return taken;
}

describe.each(LAUNCHERS)('a launcher (%s)', (launcher) => {
  const stage = staging(launcher);

  it('starts the command, and the server behind it, where none is there', async () => {
    const at = stage();
    const stand_in = [process.execPath, '-e', 'console.log("cold", process.argv.at(-1))'];
    const told = await at.launch(EVENT, stand_in);
    expect(told.stdout).toMatch(/^cold warm:[0-9a-f]{20}\n$/);
    await until(() => fs.existsSync(at.socket.replace(/sock$/, 'pid')));
    expect(await launchWarm(at, EVENT)).toMatchObject({ exit: 0, stdout: '', stderr: '' });
  });

  it('gives back exit code and texts as they are', async () => {
    const at = stage();
    await serve(at);
    const [warm, cold] = [await launchWarm(at, edit(at)), await at.launch(edit(at), COLD)];
    expect(warm.exit).toBe(2);
    expect(warm.stdout).toContain('PROTECTED_PATH');
    expect([warm.stdout, warm.stderr]).toEqual([cold.stdout, cold.stderr]);
  });

  it('lets go of what came along: whoever waits for its end does not wait for the server', async () => {
    const at = stage();
    const [program, ...words] = wordsFor(launcher);
    const child = spawn(program, [...words, process.execPath, '-e', ''], {
      ...{ cwd: at.root, env: { ...at.env, CLAUDE_PROJECT_DIR: at.root } },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    let is_ended = false;
    child.stdio[3]?.on('data', () => undefined).on('end', () => (is_ended = true));
    await until(() => fs.existsSync(at.socket.replace(/sock$/, 'pid')));
    await until(() => is_ended, 5_000);
  });

  it('finds the command as a shell does where PATH is not set', async () => {
    const at = stage({ init: null });
    const [program, ...words] = wordsFor(launcher);
    const args = [...words, 'sh', '-c', 'exit 7'];
    expect((await runLater({ program, args, cwd: at.root, env: {} }).done).exit).toBe(7);
  });

  it('reaches a server by a path that no address has room for', async () => {
    const deep = stage({ init: null });
    const root = deep.path(`${'long/'.repeat(30)}repository`);
    fs.mkdirSync(root, { recursive: true });
    deep.shell(`git init -q '${root}'`, {});
    const state = `${root}/.git/guard`;
    const at = { ...deep, root, state, socket: join(state, 'warm', deep.socket.split('/').at(-1) ?? '') };
    fs.mkdirSync(dirname(at.socket), { recursive: true, mode: 0o700 });
    fs.writeFileSync(`${state}/install.json`, '{}');
    const here = process.cwd();
    const answer = Buffer.concat([Buffer.from([0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0])]);
    process.chdir(dirname(at.socket));
    const server = createServer((socket) => {
      socket.on('error', () => undefined).write(greeting(5));
      socket.once('data', () => socket.end(answer));
    });
    await new Promise<void>((done) => server.listen(at.socket.split('/').at(-1), done));
    process.chdir(here);
    onTestFinished(() => void server.close());
    const [program, ...words] = wordsFor(launcher);
    const env = { ...deep.env, CLAUDE_PROJECT_DIR: root };
    const ask = () =>
      runLater({ program, args: [...words, ...STAND_IN], cwd: deep.root, env, stdin: '{}' }).done;
    let told = await ask();
    for (let n = 0; n < 40 && isCold(told); n++) told = await ask();
    expect(told.exit).toBe(9);
  });

  it('starts no server where nobody set guard up', async () => {
    const at = stage({ init: null });
    expect(isCold(await at.launch(EVENT))).toBe(true);
    expect(fs.existsSync(at.state)).toBe(false);
  });

  it('leaves what is not JSON to be judged as by the command', async () => {
    const at = stage();
    await serve(at);
    const [warm, cold] = [await launchWarm(at, 'no event'), await at.launch('no event', COLD)];
    expect([warm.exit, warm.stdout, warm.stderr]).toEqual([cold.exit, cold.stdout, cold.stderr]);
  });
});

const ELSEWHERE: readonly (readonly [string, (told: string) => string])[] = [
  ['of another protocol', (told) => told.replace('guard-warm 1', 'guard-warm 2')],
  ['that says it is another process', (told) => told.replace(/1 \d+/, '1 1')],
  ['in other namespaces', (told) => told.replace(/ \S*,\S* /, ' mnt:[1],pid:[1] ')],
  ['that speaks of something else', () => 'HTTP/1.1 400 Bad Request\r\n\r\n'],
];

describe.each(LAUNCHERS)('the command runs, with the whole event (%s)', (launcher) => {
  const stage = staging(launcher);

  it('where the server does not take the event up in time', async () => {
    const at = stage();
    await inItsPlace(at, () => undefined);
    const told = await at.launch(EVENT);
    expect([isCold(told), told.stderr]).toEqual([true, JSON.stringify(EVENT)]);
  });

  it.each(ELSEWHERE)('where it meets a server %s', async (_, change) => {
    const at = stage();
    const asked: Buffer[] = [];
    await inItsPlace(at, (socket) => {
      socket.on('data', (chunk: Buffer) => asked.push(chunk));
      socket.write(change(greeting(5)));
    });
    const told = await at.launch(EVENT);
    expect([isCold(told), told.stderr, asked]).toEqual([true, JSON.stringify(EVENT), []]);
  });

  it.each([0o777, 0o750])('where others may use the directory of the socket (%o)', async (mode) => {
    const at = stage();
    await serve(at);
    fs.chmodSync(dirname(at.socket), mode);
    expect(isCold(await at.launch(EVENT))).toBe(true);
  });

  it.skipIf(process.getuid?.() !== 0)('where another user listens', async () => {
    const at = stage();
    const dir = dirname(at.socket);
    fs.mkdirSync(dir, { recursive: true });
    for (let one = dir; one.startsWith(dirname(at.root)); one = dirname(one)) fs.chmodSync(one, 0o755);
    fs.chmodSync(dir, 0o777);
    const code = `require('net').createServer((s) => s.write(process.argv[2].replace('PID', process.pid))).listen(process.argv[1])`;
    const said = greeting(5).replace(String(process.pid), 'PID');
    const child = spawn(process.execPath, ['-e', code, at.socket, said], { uid: 65_534, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    await until(() => fs.existsSync(at.socket));
    fs.chmodSync(dir, 0o700);
    expect(isCold(await at.launch(EVENT))).toBe(true);
  });

  it.each([10, 20_000, 3_000_000])(
    'where the server ends after it took up an event of %d bytes',
    async (size) => {
      const at = stage();
      const taken = await endsAtTakeUp(at);
      const event = JSON.stringify({ ...EVENT, text: 'x'.repeat(size) });
      let told = await at.launch(event);
      for (let n = 0; n < 40 && taken.times === 0; n++) told = await at.launch(event);
      expect([taken.times, isCold(told), told.stderr === event]).toEqual([1, true, true]);
    },
  );

  it('where the event is not there yet when the time is over', async () => {
    const at = stage();
    await inItsPlace(at, (socket) => void socket.write(greeting(1)));
    const line = `{ printf '{"begin":'; sleep 3; printf '1}'; } | $W /bin/sh -c 'echo cold; cat'`;
    const env = { ...at.env, CLAUDE_PROJECT_DIR: at.root, W: wordsFor(launcher).join(' ') };
    const told = await runLater({ program: '/bin/sh', args: ['-c', line], cwd: at.root, env }).done;
    expect([told.exit, told.stdout]).toEqual([0, 'cold\n{"begin":1}']);
  });

  it.each([
    ['within the length of a text', [0, 0, 0, 0, 0, 0, 0, 4, 120, 120, 120, 120, 0, 0]],
    ['with a length that nothing has', [0, 0, 0, 0, 255, 255, 255, 240, 1, 2, 3, 4, 5, 6]],
  ])('where an answer ends %s', async (_, bytes) => {
    const at = stage();
    await inItsPlace(at, (socket) => {
      socket.write(greeting(5));
      socket.once('data', () => socket.end(Buffer.from(bytes)));
    });
    const told = await at.launch(EVENT);
    expect([isCold(told), told.stderr]).toEqual([true, JSON.stringify(EVENT)]);
  });

  it('before the client gives the end of a session up', async () => {
    const at = stage();
    await inItsPlace(at, (socket) => void socket.write(greeting(25)));
    const begin = Date.now();
    const told = await at.launch({ ...EVENT, hook_event_name: 'SessionEnd' });
    expect([isCold(told), Date.now() - begin < 4_000]).toEqual([true, true]);
  });

  it('where the event is too large for a server', async () => {
    const at = stage();
    await serve(at);
    const event = JSON.stringify({ ...EVENT, text: 'x'.repeat(9_000_000) });
    const told = await at.launch(event);
    expect([isCold(told), told.stderr === event]).toEqual([true, true]);
  });

  it.each([{ NODE_OPTIONS: '--no-warnings' }, { LD_LIBRARY_PATH: '/nowhere' }])(
    'where a process of its own would not be like the server: %o',
    async (more) => {
      const at = stage();
      await serve(at);
      const told = await at.launch(EVENT, undefined, more);
      expect([isCold(told), told.stderr]).toEqual([true, JSON.stringify(EVENT)]);
    },
  );

  it('and its exit code is that of the launcher', async () => {
    const at = stage({ init: null });
    expect((await at.launch(EVENT, ['/bin/sh', '-c', 'exit 7'])).exit).toBe(7);
    expect((await at.launch(EVENT, ['/no/such/node'])).exit).toBe(127);
  });
});

describe.runIf(LAUNCHERS.includes('script'))('hooks/warm.pl', () => {
  it('fails where no process can be made for what was read of the event', async () => {
    const at = stage({}, DIST, 'script');
    const [perl] = wordsFor('script');
    const taken = await endsAtTakeUp(at);
    const code = 'BEGIN { *CORE::GLOBAL::fork = sub () { undef } } do $ENV{W}; die $@';
    const env = { ...at.env, CLAUDE_PROJECT_DIR: at.root, W: join(DIST, 'warm.pl') };
    const stdin = JSON.stringify({ ...EVENT, text: 'x'.repeat(20_000) });
    const start = { program: perl, args: ['-e', code, ...STAND_IN], cwd: at.root, env, stdin };
    let told = await runLater(start).done;
    for (let n = 0; n < 40 && taken.times === 0; n++) told = await runLater(start).done;
    expect([taken.times, isCold(told), told.exit]).toEqual([1, false, 1]);
  });

  it('loads no module', () => {
    const at = stage();
    const told = at.shell(
      `${wordsFor('script')[0]} -e 'do "$ENV{W}"; END { print STDERR join ",", keys %INC }' /bin/true`,
      {
        W: `${import.meta.dirname}/../../hooks/warm.pl`,
      },
    );
    expect(told.stderr).not.toMatch(/\w+\.pm/);
  });
});
