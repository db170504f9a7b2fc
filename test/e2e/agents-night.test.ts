/**
 * A small night, with the real client: agents of six roles in the shared checkout and in worktrees, a queue, an API
 * that fails, a full disk, a killed supervisor, a restarted machine. One list in the morning reports it correctly.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';

import { mounted, type SmallDisk } from '../harness/disk.ts';
import { bash, edit, read, say, type Scenario, type Seen, use, write } from './client/scenario.ts';
import { situationIf } from './client/stage.ts';
import { until } from './client/until.ts';
import { type Ended, guardProgram, marksOf, processesOf, yard, type Yard } from './harness.ts';
import {
  CALL_USD,
  counts,
  fails,
  held,
  type Held,
  hold,
  inOwn,
  leads,
  PRESSED_USD,
  presses,
  report,
  ROLES,
  SPENDS,
  TREE_USD,
} from './night-agents.ts';

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

const DAEMON = `${60_000 + process.pid}.3`;
/** In neither its group nor its session, and without its mark. */
const LETS_GO = `(setsid env -i sleep ${DAEMON} > /dev/null 2>&1 &)\n`;
const BOOT = '/proc/sys/kernel/random/boot_id';
/** As after a restart: this command, and everything it starts, sees another boot id. */
const REBOOTED = `mount --bind "$0" ${BOOT} && exec "$@"`;
const canMount = spawnSync('unshare', ['-m', 'mount', '--bind', '/etc/hostname', BOOT]).status === 0;

const ASKS = 'Which licence?';
/** One after the other. */
const PLAN = ['one', 'two'];
const SHARED = ['daemon', 'asks', 'denied', 'refused', 'poor', 'flaky'];
const APART = ['writes', 'edits'];
const NAMES = [
  'talks',
  'alone',
  'lost',
  'presses',
  ...SPENDS,
  'leads',
  'below',
  ...PLAN,
  ...SHARED,
  ...APART,
  'restarted',
];

situationIf(canMount, 'a file system of its own, and another boot id (root)')(
  'a night ends with every agent in a state that is true, and one list tells it',
  async ({ stage }) => {
    const [talks, alone, lost, restarted] = [held(), held(), held(), held()];
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
      lost: [hold(lost, report('worked on, too'))],
      presses,
      ...Object.fromEntries(
        SPENDS.map((name) => [
          name,
          ({ step }: Seen) => (step < 20 ? read(count, { offset: 1, limit: step + 1 }) : report('all of it')),
        ]),
      ),
      restarted: [hold(restarted, say('Nobody hears this.'))],
      again: [report('taken up again')],
    };
    const files = Object.fromEntries(
      Object.entries(ROLES).map(([name, role]) => [
        `.agents/roles/${name}.json`,
        JSON.stringify({ name, ...role }),
      ]),
    );
    const config = { 'guard.config.json': '{"agents":{"running":6}}' };
    const at = await yard(
      stage,
      { 'count.txt': 'end\n', 'own.txt': 'one\n', 'daemon.sh': LETS_GO, ...config, ...files },
      scenario,
    );
    count = at.scratch.path('count.txt');
    const disk = mounted(at.scratch.path('.git/guard'), '24m');
    try {
      await night(at, { disk, talks, alone, lost, restarted });
    } finally {
      spawnSync('umount', ['-l', at.scratch.path('.git/guard')]);
    }
  },
  240_000,
);

/** Whoever looks first ends the client of a dead supervisor, sometimes before its report; the agent may then go on. */
async function endedOrResumed(at: Yard, id: string): Promise<void> {
  const { status, reason } = await at.await(id);
  if (status === 'completed') return;
  expect({ status, reason }).toEqual({ status: 'failed', reason: 'its supervisor died' });
  expect((await at.guard('agent', 'send', id, '[[again]] Go on.')).code).toBe(0);
  await at.await(id);
}

interface Night {
  readonly disk: SmallDisk;
  readonly talks: Held;
  readonly alone: Held;
  readonly lost: Held;
  readonly restarted: Held;
}

async function night(at: Yard, { disk, talks, alone, lost, restarted }: Night): Promise<void> {
  expect((await at.guard('init')).code).toBe(0);
  const draft = async (name: string, role = 'night'): Promise<string> =>
    (
      (await at.json('agent', 'draft', '--role', role, '--name', name, `[[${name}]] Go.`)) as {
        agentId: string;
      }
    ).agentId;
  const rows = async (): Promise<readonly Row[]> =>
    ((await at.json('agent', 'list', '--since', '12h')) as { agents: readonly Row[] }).agents;

  // All together; those that wait for the disk keep three of the six places.
  const held_ids = [await draft('talks'), await draft('alone'), await draft('lost')];
  await draft('leads', 'boss');
  await draft('presses', 'payer');
  const tasks = PLAN.map((id, nth) => ({
    ...{ id, role: 'night', name: id, prompt: `[[${id}]] Count.` },
    ...(nth === 0 ? { priority: 1 } : { after: PLAN.slice(0, nth) }),
  }));
  at.scratch.write('plan.json', JSON.stringify({ id: 'night', tasks }));
  const plan = at.guard('agent', 'run', 'plan.json', '--json');
  for (const name of SHARED) await draft(name);
  for (const name of APART) await draft(name, 'own');
  await Promise.all([talks, alone, lost].map(({ began }) => began.opened));
  const open = async (): Promise<readonly Row[]> => (await rows()).filter(({ endedAt }) => endedAt === null);
  while ((await open()).length > held_ids.length) await new Promise((resolve) => setTimeout(resolve, 1_000));

  expect((await plan).code).toBe(0);

  disk.fill();
  // Two supervisors together.
  const killed = held_ids.slice(1).map((id) => marksOf(at, id).supervisor);
  for (const { pid } of killed) process.kill(pid, 'SIGKILL');
  talks.on.open();
  alone.on.open();
  lost.on.open();
  await until('the clients are gone', () => processesOf(held_ids).length === 0);
  disk.free();
  // Its supervisor outlived the full disk.
  expect(await at.await(held_ids[0] ?? '')).toMatchObject({
    status: 'completed',
    result: { summary: 'talked' },
  });
  for (const id of held_ids.slice(1)) await endedOrResumed(at, id);

  // The machine restarts in the middle of the last agent's work.
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
  const gone = JSON.parse((await after('agent', 'await', last, '--json')).stdout) as Ended;
  expect(gone).toMatchObject({
    status: 'failed',
    reason: 'the machine was restarted while it was at work',
    hint: expect.stringContaining('guard agent send') as string,
  });
  expect((await after('agent', 'send', 'restarted', '[[again]] Go on.')).code).toBe(0);
  const again = JSON.parse((await after('agent', 'await', last, '--json')).stdout) as Ended;
  expect(again).toMatchObject({ status: 'completed', result: { summary: 'taken up again' } });

  const { stdout } = await at.guard('agent', 'list', '--since', '12h');
  const screen = ['env', 'LINES=24', 'COLUMNS=80', process.execPath, guardProgram()] as const;
  const seen = (await at.run(...screen, 'agent', 'list', '--since', '12h')).stdout.trimEnd().split('\n');
  expect(Math.max(...seen.map((line) => Array.from(line).length))).toBeLessThanOrEqual(80);
  // Of eighteen agents, some of those that need nothing share a line.
  expect(seen.length, seen.join('\n')).toBeLessThanOrEqual(24);
  // In a pipe each has a line, between the head and the sums.
  expect(stdout.trimEnd().split('\n'), stdout).toHaveLength(NAMES.length + 2);

  const found = Object.fromEntries((await rows()).map((row) => [row.name ?? row.id, row]));
  expect(Object.keys(found).sort()).toEqual(NAMES.toSorted());
  const { refused, poor, asks, denied, ...rest } = found;
  for (const name of SPENDS) expect(rest[name]).toMatchObject({ status: 'budget', needs: null });
  const others = Object.fromEntries(Object.entries(rest).filter(([name]) => !SPENDS.includes(name)));
  expect(refused).toMatchObject({ status: 'failed', api_error: { status: 529, is_transient: true } });
  expect(poor).toMatchObject({ status: 'failed', api_error: { status: 400, is_transient: false } });
  expect(asks).toMatchObject({ status: 'completed', needs: { questions: [ASKS] } });
  expect(denied).toMatchObject({ status: 'completed', needs: { denials: [{ tool: 'WebFetch' }] } });
  const wrong = Object.values(others).filter(({ status, needs }) => status !== 'completed' || needs !== null);
  expect(wrong).toEqual([]);
  // No report is lost.
  const reported = Object.values(found).filter(
    ({ name }) => !['refused', 'poor', ...SPENDS].includes(name ?? ''),
  );
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
  const pressed = ['presses', ...SPENDS].map((name) => found[name]?.cost_usd ?? Infinity);
  const pressed_usd = pressed.reduce((sum, usd) => sum + usd, 0);
  // One that was queued until the other had ended has what that left: a call less than both have side by side.
  expect(pressed_usd).toBeGreaterThan(PRESSED_USD - CALL_USD);
  expect(pressed_usd).toBeLessThanOrEqual(PRESSED_USD + pressed.length * CALL_USD);
}
