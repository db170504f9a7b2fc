/** What people see of agents at work: `guard agent list --watch` and `guard agent await`. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import xterm from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { GUARD } from '../claude/driver.ts';
import type { TreeRow } from '../../src/harness/list.ts';
import { keepBusy } from '../locks/process.ts';
import { harness, type Harness, until } from './harness.ts';

const SCRIPT = '/usr/bin/script';
const [ALTERNATE, GIVEN_BACK] = ['\u001b[?1049h', '\u001b[?1049l'];
const pause = (duration_ms: number) => new Promise((resolve) => setTimeout(resolve, duration_ms));
const idIn = (told: { json(): unknown }): string => (told.json() as { agentId: string }).agentId;

/** Runs guard, with access to its output so far. */
function follow(at: Harness, env: object, ...args: readonly string[]) {
  const run = spawn(process.execPath, [GUARD, ...args], {
    cwd: at.at.root,
    env: { ...at.at.env, ...at.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  run.stdout.on('data', (text: Buffer) => (said.stdout += text.toString()));
  run.stderr.on('data', (text: Buffer) => (said.stderr += text.toString()));
  const done = new Promise<typeof said & { exit: number | null }>((resolve) => {
    run.on('close', (exit) => resolve({ exit, ...said }));
  });
  return { said, done, signal: (name: NodeJS.Signals) => run.kill(name) };
}

/** Runs guard at its own terminal. */
function atTerminal(at: Harness, env: object, ...args: readonly string[]) {
  const command = [process.execPath, GUARD, ...args].map((word) => `'${word}'`).join(' ');
  const run = spawn(SCRIPT, ['-qefc', `stty rows 24 cols 80; exec ${command}`, '/dev/null'], {
    cwd: at.at.root,
    env: { ...at.at.env, ...at.env, TERM: 'xterm', ...env },
  });
  let seen = '';
  run.stdout.on('data', (text: Buffer) => (seen += text.toString()));
  const done = new Promise<number | null>((resolve) => void run.on('close', resolve));
  return { seen: () => seen, type: (keys: string) => run.stdin.write(keys), done };
}

/** The lines of a terminal of 24 lines and 80 columns. */
async function shownBy(output: string): Promise<readonly string[]> {
  const terminal = new xterm.Terminal({ cols: 80, rows: 24, allowProposedApi: true });
  await new Promise<void>((resolve) => {
    terminal.write(output, resolve);
  });
  return Array.from(
    { length: 24 },
    (_, y) => terminal.buffer.active.getLine(y)?.translateToString(true) ?? '',
  );
}

describe('guard agent list --watch', () => {
  it('shows who drafted whom, what they hold and wait for, and each change once', async () => {
    const at = harness();
    const lead = at.draft('lead', ['say 1', 'hang']);
    const watching = follow(at, {}, 'agent', 'list', '--watch', '--json');
    const child = idIn(at.as(lead, 'agent', 'draft', '--role', 'dev', '--json', 'hang'));
    at.as(lead, 'lock', 'try', 'a.txt');
    const waiting = at.at.startGuard(
      { ...at.env, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: child.slice('claude-'.length) },
      ...['lock', 'wait', 'a.txt', '--timeout', '20s'],
    );
    await until(() => at.list().some(({ waiting_for }) => waiting_for.length > 0), 15_000);
    await pause(2_500);
    at.guard('agent', 'kill', lead);
    await until(() => /\{"agents":\[\],.*\n$/.test(watching.said.stdout), 15_000);
    watching.signal('SIGINT');
    const { exit, stdout, stderr } = await watching.done;
    await waiting.done;
    expect([exit, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(new Set(lines).size).toBe(lines.length);
    const trees = lines.map((line) => (JSON.parse(line) as { agents: TreeRow[] }).agents);
    expect(trees).toContainEqual([
      expect.objectContaining({ id: lead, depth: 1, turns: 1, status: 'running', leases: ['a.txt'] }),
      expect.objectContaining({ id: child, depth: 2, drafted_by: lead, waiting_for: ['a.txt'] }),
    ]);
    expect(trees.at(-1)).toEqual([]);
  });

  it('is a tree in words where nobody wants JSON, with no escape in it', async () => {
    const at = harness();
    const lead = at.draft('lead', ['say 1', 'hang']);
    const child = idIn(at.as(lead, 'agent', 'draft', '--role', 'dev', '--json', 'hang'));
    at.as(lead, 'lock', 'try', 'a.txt');
    await until(() => at.list()[0]?.turns === 1, 15_000);
    const watching = follow(at, { NO_COLOR: '1', LINES: '24' }, 'agent', 'list', '--watch');
    await until(() => watching.said.stdout.includes('\n'), 15_000);
    watching.signal('SIGTERM');
    const { exit, stdout } = await watching.done;
    expect(exit).toBe(0);
    const short = (id: string): string => at.list().find((row) => row.id === id)?.short ?? '';
    const [, first = '', second = '', third = ''] = stdout.split('\n');
    expect(first).toMatch(new RegExp(`^ {2}running +${short(lead)} +lead .* 1 +0\\.00$`));
    expect(second).toBe('    holds a.txt');
    expect(third).toMatch(new RegExp(`^ {2}\\w+ +>${short(child)} +dev `));
    expect(stdout).not.toContain('\u001b');
  });

  it.skipIf(!existsSync(SCRIPT) || process.platform !== 'linux')(
    'draws a terminal anew at every change, and Ctrl-C leaves it as it was',
    async () => {
      const at = harness();
      const id = at.draft('dev', ['sleep 1500', 'say 1', 'hang']);
      const shown = atTerminal(at, {}, 'agent', 'list', '--watch');
      await until(() => shown.seen().includes('1 turn'), 15_000);
      at.guard('agent', 'kill', id);
      await until(() => shown.seen().includes('No drafted agent'), 15_000);
      shown.type('\u0003');
      expect(await shown.done).toBe(0);
      for (const words of ['0 turns', '1 turn,', 'No drafted agent is running.'])
        expect(shown.seen()).toContain(words);
      // An alternate screen, given back with the cursor, so what was there before is there again.
      expect(shown.seen().startsWith(`${ALTERNATE}\u001b[?25l`)).toBe(true);
      expect(shown.seen().endsWith(`\u001b[?25h${GIVEN_BACK}`)).toBe(true);
      const plain = atTerminal(at, { NO_COLOR: '1' }, 'agent', 'list', '--all');
      await plain.done;
      expect(plain.seen()).toContain('killed');
      expect(plain.seen()).not.toContain('\u001b[1m');
    },
  );
});

describe.skipIf(!existsSync(SCRIPT) || process.platform !== 'linux')(
  'a terminal of 24 lines and 80 columns',
  () => {
    it('has all of a night’s agents that fit, nothing that wraps or scrolls, and the sums last', async () => {
      const at = harness({ agents: { running: 2 } });
      for (let n = 0; n < 14; n++) at.draft('dev', ['hang'], '--task', `a-task-with-a-long-name-${n}`);
      await until(() => at.list().filter(({ status }) => status === 'running').length === 2, 20_000);
      const shown = atTerminal(at, {}, 'agent', 'list', '--watch');
      await until(() => shown.seen().includes('12 queued'), 15_000);
      shown.type('\u0003');
      expect(await shown.done).toBe(0);
      const screen = await shownBy(shown.seen().split(GIVEN_BACK)[0] ?? '');
      expect(screen.at(-1)).toMatch(/^q quit/);
      const lines = screen.slice(0, -1).join('\n').trimEnd().split('\n');
      expect(lines[0]).toMatch(/^ *STATE/);
      expect(lines.at(-2)).toMatch(/^ {2}and \d+ queued that need nothing from you \(--all\): /);
      expect(lines.find((line) => line.startsWith('2 running'))).toContain('12 queued');
    });
  },
);

describe('guard agent await', () => {
  it('says on standard error how it goes on, a line for every change and none for a second', async () => {
    const at = harness();
    const id = at.draft('dev', [
      'sleep 1500',
      'say One.',
      'sleep 3500',
      'say Two.',
      'sleep 1500',
      'result Bye.',
    ]);
    const { exit, stdout, stderr } = await at.at.startGuard(at.env, 'agent', 'await', id).done;
    expect(exit).toBe(0);
    expect(stdout).toBe('completed\nBye.\n');
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toContain(`${id}  running  1 turn  One.`);
    expect(lines).toContain(`${id}  running  2 turns  Two.`);
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines.length).toBeLessThanOrEqual(5);
  });

  it('outlasts a ledger that others keep for longer than a look waits', async () => {
    const at = harness();
    const id = at.draft('dev', ['say 1', 'hang']);
    const waiting = follow(at, {}, 'agent', 'await', id, '--json');
    await until(() => waiting.said.stderr.includes('1 turn'), 15_000);
    const free = keepBusy(at.at);
    const first = await Promise.race([waiting.done, pause(7_000)]);
    free();
    expect(first).toBeUndefined();
    at.guard('agent', 'kill', id);
    const { stdout, stderr } = await waiting.done;
    expect(stderr).not.toContain('GUARD_ERR_BUSY');
    expect(JSON.parse(stdout)).toMatchObject({ status: 'killed', agentId: id });
  });

  it('with Ctrl-C asked once goes on; asked twice, the whole tree is dead and on record as killed', async () => {
    const at = harness();
    const lead = at.draft('lead', ['deaf', 'child', 'say Lead.', 'hang']);
    const middle = idIn(
      at.as(lead, 'agent', 'draft', '--role', 'lead', '--json', 'deaf\nchild\nsay Mid.\nhang'),
    );
    const leaf = idIn(
      at.as(middle, 'agent', 'draft', '--role', 'dev', '--json', 'deaf\nchild\nsay Leaf.\nhang'),
    );
    const all = [lead, middle, leaf];
    await until(() => at.list().filter(({ turns }) => turns === 1).length === 3, 15_000);
    expect(at.as(leaf, 'lock', 'try', 'a.txt').exit).toBe(0);
    const supervisors = all.map((id) => at.supervisor(id));
    const run = follow(at, {}, 'agent', 'await', lead, '--json');
    await until(() => run.said.stderr.includes('Lead.'), 15_000);
    run.signal('SIGINT');
    await until(() => run.said.stderr.includes('Press Ctrl-C again to end'), 15_000);
    await pause(500);
    expect(at.list()).toMatchObject(all.map((id) => ({ id, status: 'running' })));
    run.signal('SIGINT');
    const told = await run.done;
    expect(told.exit).toBe(1);
    expect(JSON.parse(told.stdout)).toMatchObject({ agentId: lead, status: 'killed', message: 'Lead.' });
    expect(told.stderr.match(/Press Ctrl-C again to end/g)).toHaveLength(1);
    for (const id of all) {
      expect(at.await(id)).toMatchObject({
        status: 'killed',
        reason: expect.stringContaining('Ctrl-C') as string,
      });
      expect(at.processes(id)).toEqual([]);
    }
    await until(() => supervisors.every((pid) => !existsSync(`/proc/${pid}`)), 5_000);
    const holder = at.guard('lock', 'status', 'a.txt', '--json').json();
    expect(holder).toMatchObject({ results: [{ holder: null }] });
  });
});
