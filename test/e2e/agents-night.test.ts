/**
 * A night in small, with the real client: twelve agents of four roles in the shared checkout and in worktrees, a queue, an API that
 * fails, a full disk, a killed supervisor, a restarted machine. In the morning one screen tells it, and it is true.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';

import { mounted, type SmallDisk } from '../harness/disk.ts';
import { type Gate, makeGate } from './client/gate.ts';
import {
  type Answer,
  bash,
  edit,
  read,
  say,
  type Scenario,
  type Seen,
  use,
  write,
} from './client/scenario.ts';
import { situationIf } from './client/stage.ts';
import { until } from './client/until.ts';
import { type Ended, guardProgram, marksOf, processesOf, yard, type Yard } from './harness.ts';

interface Row {
  readonly id: string;
  readonly name: string | null;
  readonly status: string;
  readonly reason: string | null;
  readonly endedAt: string | null;
  readonly cost_usd: number;
  readonly needs: object | null;
  readonly api_error: object | null;
  readonly worktree: object | null;
}

const TREE_USD = 0.02;
const DAEMON = `${60_000 + process.pid}.3`;
/** Neither of its group nor of its session, and without its mark. */
const LETS_GO = `(setsid env -i sleep ${DAEMON} > /dev/null 2>&1 &)\n`;
const BOOT = '/proc/sys/kernel/random/boot_id';
/** As after a restart: for this command, and for whatever it starts, the machine runs since another moment. */
const REBOOTED = `mount --bind "$0" ${BOOT} && exec "$@"`;
const canMount = spawnSync('unshare', ['-m', 'mount', '--bind', '/etc/hostname', BOOT]).status === 0;

const tool = (name: string, input: object): Answer => use(`mcp__guard__${name}`, input);
const report = (summary: string, ...questions: readonly string[]): Answer =>
  say(`Done.\n\`\`\`json\n${JSON.stringify({ summary, changes: [], issues: [], questions })}\n\`\`\``);
const fails = (status: number, type: string): Answer => ({ fails: { status, type, message: 'No.' } });

const ROLES = {
  night: {
    category: 'worker',
    prompt: 'You work at night.',
    tools: ['Read', 'Edit', 'Bash(sh daemon.sh)'],
    limits: { retries: 0 },
  },
  own: {
    category: 'worker',
    prompt: 'You work apart.',
    tools: ['Read', 'Edit', 'Write', 'Bash(pwd)'],
    worktree: {},
  },
  boss: {
    category: 'conversational',
    prompt: 'You lead.',
    limits: { tree_cost_usd: TREE_USD, cost_usd: TREE_USD / 2 },
  },
};

/** In the middle of its work, until it is told to go on. */
interface Held {
  readonly began: Gate;
  readonly on: Gate;
}
const held = (): Held => ({ began: makeGate(), on: makeGate() });
const hold =
  ({ began, on }: Held, answer: Answer) =>
  async (): Promise<Answer> => {
    began.open();
    await on.opened;
    return answer;
  };

/** A line more in a file that many change, each under its lock. */
const counts =
  (count: () => string) =>
  ({ step, marker }: Seen): Answer =>
    [
      tool('lock_wait', { filepaths: [count()], timeout_seconds: 60 }),
      read(count()),
      edit(count(), 'end', `${marker}\nend`),
      tool('lock_release', { filepaths: [count()] }),
    ][step] ?? report(`${marker} counted`);

/** In its own worktree, wherever that is. */
const inOwn =
  (work: (dir: string) => readonly Answer[]) =>
  ({ step, marker, results, request }: Seen): Answer => {
    if (step === 0) return bash('pwd');
    const said = JSON.stringify(step === 1 ? results : request.messages);
    const [, dir = ''] = /(\/[^\s"\\]*\.claude\/worktrees\/guard-[\w-]+)/.exec(said) ?? [];
    return work(dir)[step - 1] ?? report(`${marker} worked`);
  };

const leads =
  (child: { id: string }) =>
  ({ step, results }: Seen): Answer => {
    const said = JSON.parse(step === 0 ? '{}' : (results[0]?.text ?? '{}')) as {
      agentId?: string;
      status?: string;
    };
    if (step === 0) return tool('draft_agent', { role: 'night', name: 'below', prompt: '[[below]] Count.' });
    child.id = said.agentId ?? child.id;
    return said.status === 'completed' ? report('led') : tool('await_agent', { agentId: child.id });
  };

const ASKS = 'Which licence?';
/** One after the other. */
const PLAN = ['one', 'two'];
const SHARED = ['daemon', 'asks', 'denied', 'refused', 'poor', 'flaky'];
const APART = ['writes', 'edits'];
const NAMES = ['talks', 'alone', 'leads', 'below', ...PLAN, ...SHARED, ...APART, 'restarted'];

situationIf(canMount, 'a file system of its own, and another boot id (root)')(
  'a night ends with every agent in a state that is true, and one screen tells it',
  async ({ stage }) => {
    const [talks, alone, restarted] = [held(), held(), held()];
    let count = '';
    let busy = 0;
    const counting = counts(() => count);
    const scenario: Scenario = {
      one: counting,
      two: counting,
      below: counting,
      daemon: [bash('sh daemon.sh'), report('let go')],
      asks: [report('as far as I could', ASKS)],
      denied: [use('WebFetch', { url: 'https://example.com/x', prompt: 'What is it?' }), report('denied')],
      writes: inOwn((dir) => [write(join(dir, 'written.txt'), 'written\n')]),
      edits: inOwn((dir) => [read(join(dir, 'own.txt')), edit(join(dir, 'own.txt'), 'one', 'two')]),
      refused: () => fails(529, 'overloaded_error'),
      poor: () => fails(400, 'invalid_request_error'),
      flaky: () => (busy++ === 0 ? fails(529, 'overloaded_error') : report('heard in the end')),
      leads: leads({ id: '' }),
      talks: [hold(talks, report('talked'))],
      alone: [hold(alone, report('worked on'))],
      restarted: [hold(restarted, say('Nobody hears this.'))],
      again: [report('taken up again')],
    };
    const files = Object.fromEntries(
      Object.entries(ROLES).map(([name, role]) => [
        `.agents/roles/${name}.json`,
        JSON.stringify({ name, ...role }),
      ]),
    );
    const config = { 'guard.config.json': '{"agents":{"running":5}}' };
    const at = await yard(
      stage,
      { 'count.txt': 'end\n', 'own.txt': 'one\n', 'daemon.sh': LETS_GO, ...config, ...files },
      scenario,
    );
    count = at.scratch.path('count.txt');
    const disk = mounted(at.scratch.path('.git/guard'), '24m');
    try {
      await night(at, { disk, talks, alone, restarted });
    } finally {
      spawnSync('umount', ['-l', at.scratch.path('.git/guard')]);
    }
  },
  240_000,
);

interface Night {
  readonly disk: SmallDisk;
  readonly talks: Held;
  readonly alone: Held;
  readonly restarted: Held;
}

async function night(at: Yard, { disk, talks, alone, restarted }: Night): Promise<void> {
  expect((await at.guard('init')).code).toBe(0);
  const draft = async (name: string, role = 'night'): Promise<string> =>
    (
      (await at.json('agent', 'draft', '--role', role, '--name', name, `[[${name}]] Go.`)) as {
        agentId: string;
      }
    ).agentId;
  const rows = async (): Promise<readonly Row[]> =>
    ((await at.json('agent', 'list', '--since', '12h')) as { agents: readonly Row[] }).agents;

  // All at once; those that wait for the disk keep two places of five.
  const held_ids = [await draft('talks'), await draft('alone')];
  await draft('leads', 'boss');
  const tasks = PLAN.map((id, nth) => ({
    ...{ id, role: 'night', name: id, prompt: `[[${id}]] Count.` },
    ...(nth === 0 ? { priority: 1 } : { after: PLAN.slice(0, nth) }),
  }));
  at.scratch.write('plan.json', JSON.stringify({ id: 'night', tasks }));
  const plan = at.guard('agent', 'run', 'plan.json', '--json');
  for (const name of SHARED) await draft(name);
  for (const name of APART) await draft(name, 'own');
  await Promise.all([talks.began.opened, alone.began.opened]);
  const open = async (): Promise<readonly Row[]> => (await rows()).filter(({ endedAt }) => endedAt === null);
  while ((await open()).length > 2) await new Promise((resolve) => setTimeout(resolve, 1_000));

  expect((await plan).code).toBe(0);

  disk.fill();
  const { supervisor } = marksOf(at, held_ids[1] ?? '');
  process.kill(supervisor.pid, 'SIGKILL');
  talks.on.open();
  alone.on.open();
  await until('the clients are gone', () => processesOf(held_ids).length === 0);
  disk.free();
  await at.guard('agent', 'await', ...held_ids);

  // The machine is restarted in the middle of the last one's work.
  const last = await draft('restarted');
  await restarted.began.opened;
  const { supervisor: its, client } = marksOf(at, last);
  process.kill(its.pid, 'SIGKILL');
  process.kill(-client.pid, 'SIGKILL');
  await until('it is gone', () => processesOf([last]).length === 0);
  const boot = join(at.scratch.root, 'boot');
  writeFileSync(boot, '11111111-2222-3333-4444-555555555555\n');
  const after = (...args: readonly string[]) =>
    at.run('unshare', '-m', 'sh', '-c', REBOOTED, boot, process.execPath, guardProgram(), ...args);
  const lost = JSON.parse((await after('agent', 'await', last, '--json')).stdout) as Ended;
  expect(lost).toMatchObject({
    status: 'failed',
    reason: 'the machine was restarted while it was at work',
    hint: expect.stringContaining('guard agent send') as string,
  });
  expect((await after('agent', 'send', 'restarted', '[[again]] Go on.')).code).toBe(0);
  const again = JSON.parse((await after('agent', 'await', last, '--json')).stdout) as Ended;
  expect(again).toMatchObject({ status: 'completed', result: { summary: 'taken up again' } });

  const { stdout } = await at.guard('agent', 'list', '--since', '12h');
  const lines = stdout.trimEnd().split('\n');
  expect(Math.max(...lines.map((line) => Array.from(line).length))).toBeLessThanOrEqual(80);
  // Of all of them, and what is to be said of some.
  expect(lines.length).toBeLessThanOrEqual(24);

  const found = Object.fromEntries((await rows()).map((row) => [row.name ?? row.id, row]));
  expect(Object.keys(found).sort()).toEqual(NAMES.toSorted());
  const { refused, poor, asks, denied, ...others } = found;
  expect(refused).toMatchObject({ status: 'failed', api_error: { status: 529, is_transient: true } });
  expect(poor).toMatchObject({ status: 'failed', api_error: { status: 400, is_transient: false } });
  expect(asks).toMatchObject({ status: 'completed', needs: { questions: [ASKS] } });
  expect(denied).toMatchObject({ status: 'completed', needs: { denials: [{ tool: 'WebFetch' }] } });
  const wrong = Object.values(others).filter(({ status, needs }) => status !== 'completed' || needs !== null);
  expect(wrong).toEqual([]);
  // No report is lost.
  const reported = Object.values(found).filter(({ name }) => name !== 'refused' && name !== 'poor');
  const ids = reported.map(({ id }) => id);
  const told = (await at.json('agent', 'await', ...ids)) as { agents: readonly Ended[] };
  expect(told.agents.filter(({ result }) => result === undefined)).toEqual([]);
  // No edit is lost.
  expect(at.scratch.read('count.txt').trim().split('\n').sort()).toEqual(['below', 'end', 'one', 'two']);
  for (const name of APART) expect(found[name]?.worktree).toMatchObject({ files: 1 });
  for (const name of APART) expect((await at.guard('agent', 'merge', name)).code).toBe(0);
  expect([at.scratch.read('written.txt'), at.scratch.read('own.txt')]).toEqual(['written\n', 'two\n']);
  // No process is left.
  expect(processesOf(Object.values(found).map(({ id }) => id))).toEqual([]);
  expect(spawnSync('pgrep', ['-f', `sleep ${DAEMON}`]).status).toBe(1);
  // No tree is overspent.
  const spent_usd = (found['leads']?.cost_usd ?? Infinity) + (found['below']?.cost_usd ?? Infinity);
  expect(spent_usd).toBeLessThanOrEqual(TREE_USD);
}
