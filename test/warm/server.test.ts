/** A server is never the source of truth: it may end, be stopped or be replaced at any moment. */
import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { GUARD, runLater } from '../claude/driver.ts';
import { scratchDir } from '../install/scratch.ts';
import {
  buildOf,
  COLD,
  DIST,
  LAUNCHERS,
  isCold,
  kill,
  launchWarm,
  pidsIn,
  serve,
  stage,
  staged,
  type Stage,
  until,
} from './stage.ts';
import { launcherName } from '../../src/install/warm-line.ts';

const event = (at: Stage, name: string, session = 's') => ({
  ...{ session_id: session, cwd: at.root, hook_event_name: name, prompt: 'go', source: 'startup' },
});
const turns = (at: Stage, session: string): number =>
  at.log('turn').filter(({ agent }) => agent === `claude-${session}`).length;

describe.skipIf(LAUNCHERS.length === 0)('a server that dies on an event', () => {
  /** Dies at the moment of its answer, when everything is already in the ledger. */
  const DIES = `const { Socket } = require('node:net');
    const { write } = Socket.prototype;
    Socket.prototype.write = function (...args) {
      if (Buffer.isBuffer(args[0])) process.kill(process.pid, 'SIGKILL');
      return write.apply(this, args);
    };`;

  it('has done it once, and what the command does after it is the same commit', async () => {
    const at = stage();
    const preload = at.put('../dies.cjs', DIES);
    await serve(at, ['--require', preload]);
    const [pid = 0] = pidsIn(at);
    const answers = [await at.launch(event(at, 'UserPromptSubmit'), COLD)];
    // It may have been too late for the first events, which commands answered alone.
    while (isAlive(pid)) answers.push(await at.launch(event(at, 'UserPromptSubmit'), COLD));
    expect(answers.map(({ exit }) => exit)).toEqual(answers.map(() => 0));
    expect(turns(at, 's')).toBe(answers.length);
  });

  it('would be told twice without the id of its request', () => {
    const at = stage();
    const twice = (args: readonly string[]): number => {
      const line = `echo '${JSON.stringify(event(at, 'UserPromptSubmit'))}' | "${COLD.join('" "')}" ${args.join(' ')}`;
      const before = turns(at, 's');
      for (let n = 0; n < 2; n++)
        expect(at.shell(line, { CLAUDECODE: '1', CLAUDE_PROJECT_DIR: at.root }).exit).toBe(0);
      return turns(at, 's') - before;
    };
    expect(twice([])).toBe(2);
    expect(twice([`warm:${'a'.repeat(20)}`])).toBe(1);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(LAUNCHERS.length === 0)('a server', () => {
  it('ends when nobody asks for as long as the configuration says', async () => {
    const at = stage({ config: { warm: true, warm_idle: '1s' } });
    await serve(at);
    const [pid = 0] = pidsIn(at);
    await until(() => !isAlive(pid));
    expect(fs.existsSync(at.socket)).toBe(false);
    expect(isCold(await at.launch(event(at, 'Stop')))).toBe(true);
  });

  it('does not stay where the configuration says so', async () => {
    const at = stage({ config: { warm: false } });
    const args = [join(DIST, 'serve-hooks.cjs'), at.state, at.root];
    const ended = await runLater({ args, cwd: at.root, env: at.env }).done;
    expect([ended.exit, fs.existsSync(at.socket)]).toEqual([0, false]);
  });

  it('is one, however many are started at once', async () => {
    const at = stage();
    await Promise.all(Array.from({ length: 4 }, () => serve(at)));
    await pause(500);
    expect(await launchWarm(at, event(at, 'Stop'))).toMatchObject({ exit: 0 });
    expect(pidsIn(at)).toHaveLength(1);
  });

  it('takes the place of one that was killed', async () => {
    const at = stage();
    await serve(at);
    const [pid = 0] = pidsIn(at);
    kill(pid);
    await until(() => !isAlive(pid));
    expect((await at.launch(event(at, 'UserPromptSubmit'), COLD)).exit).toBe(0);
    await until(() => pidsIn(at).some((one) => one !== pid && isAlive(one)));
    await launchWarm(at, event(at, 'UserPromptSubmit'));
  });

  it('is ended by guard serve --stop, and seen by guard doctor', async () => {
    const at = stage({ init: ['--preset', 'auto', '--warm', '--scope', 'local'] });
    const warm = () =>
      (at.guard('doctor', '--json').json() as { results: { id: string; message: string }[] }).results.find(
        ({ id }) => id === 'warm',
      )?.message;
    await serve(at);
    const [pid = 0] = pidsIn(at);
    expect(warm()).toContain(`(process ${pid})`);
    const stop = await at.startGuard({}, 'serve', '--stop', '--json').done;
    expect(JSON.parse(stop.stdout)).toEqual({ stopped: [pid] });
    await until(() => !isAlive(pid));
    expect(JSON.parse((await at.startGuard({}, 'serve', '--stop', '--json').done).stdout)).toEqual({
      stopped: [],
    });
  });

  it('is ended where the path of its socket is longer than an address', async () => {
    const base = stage({ init: null });
    const root = base.path('l'.repeat(120));
    fs.mkdirSync(root);
    base.git('init', '-q', root);
    const guard = (...args: string[]) => runLater({ args: [GUARD, ...args], cwd: root, env: base.env }).done;
    expect((await guard('init')).exit).toBe(0);
    const state = join(root, '.git/guard');
    const at = staged({ ...base, root, state }, DIST);
    await serve(at);
    const stopped = pidsIn(at);
    expect(JSON.parse((await guard('serve', '--stop', '--json')).stdout)).toEqual({ stopped });
  });
});

describe.skipIf(LAUNCHERS.length === 0)('an upgrade in the middle of a session', () => {
  /** The same program as another build. */
  function another(): string {
    const root = scratchDir('guard-build-');
    for (const part of ['dist', 'native', 'package.json'])
      fs.cpSync(join(DIST, '..', part), join(root, part), { recursive: true });
    const dist = join(root, 'dist');
    for (const name of ['warm.pl', launcherName(), 'serve-hooks.cjs']) {
      if (!fs.existsSync(join(dist, name))) continue;
      const text = fs.readFileSync(join(dist, name), 'latin1');
      fs.writeFileSync(join(dist, name), text.replaceAll(buildOf(DIST), 'b'.repeat(16)), 'latin1');
    }
    return dist;
  }

  it('has each launcher ask the server of its own build, over one ledger', async () => {
    const at = stage();
    const [dist, before] = [another(), pidsIn(at)];
    const newer = staged(at, dist);
    await serve(at);
    await launchWarm(at, event(at, 'SessionStart'));
    await launchWarm(at, event(at, 'UserPromptSubmit'));
    expect([before, isCold(await newer.launch(event(at, 'UserPromptSubmit')))]).toEqual([[], true]);
    await serve(newer, [], dist);
    expect(pidsIn(at)).toHaveLength(2);
    await launchWarm(newer, event(at, 'UserPromptSubmit'));
    await launchWarm(at, event(at, 'UserPromptSubmit'));
    expect(turns(at, 's')).toBe(3);
  });

  it('ends the server whose program was replaced', async () => {
    const dist = another();
    const at = stage({}, dist);
    await serve(at, [], dist);
    const [pid = 0] = pidsIn(at);
    await launchWarm(at, event(at, 'SessionStart'));
    const program = join(dist, 'serve-hooks.cjs');
    fs.copyFileSync(program, `${program}.new`);
    fs.renameSync(`${program}.new`, program);
    await until(() => !isAlive(pid), 30_000);
    expect(isCold(await at.launch(event(at, 'Stop')))).toBe(true);
  }, 60_000);
});
