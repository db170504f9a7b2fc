/**
 * A small night: agents of three roles, in the shared checkout and in worktrees, a queue, an API that fails, a full
 * disk, a killed supervisor, a restarted machine. One screen in the morning reports it all correctly.
 * `GUARD_NIGHT_AGENTS` adds counting agents to these ten.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isDead } from '../../src/repo/process.ts';
import type { ProcessMark } from '../../src/core/types.ts';
import type { TreeRow } from '../../src/harness/list.ts';
import { requiredOrSkipped } from '../required.ts';
import { canMount, smallDisk } from './disk.ts';
import { harness, type Harness, until } from './harness.ts';
import { ID as RESTARTED, leftRunning, markOf } from './left.ts';

const GUARD = `"${process.execPath}" "${process.cwd()}/bin/guard.cjs"`;
const MORE = Number(process.env['GUARD_NIGHT_AGENTS'] ?? 0);
const TREE_USD = 1;
const ROLES = {
  dev: { category: 'worker', prompt: 'You write code.', limits: { retries: 0 } },
  lead: {
    category: 'conversational',
    prompt: 'You lead.',
    limits: { tree_cost_usd: TREE_USD, cost_usd: 0.4 },
  },
  own: { category: 'worker', prompt: 'You work apart.', worktree: {} },
  payer: { category: 'conversational', prompt: 'You pay.', limits: { tree_cost_usd: 2.4, cost_usd: 0.4 } },
  spender: { category: 'worker', prompt: 'You spend.', limits: { cost_usd: 1 } },
};
/** The cost of a message of 100,000 tokens of input and 140,000 of output. */
const CALL_USD = 0.8;
const LONG = 'x'.repeat(9_000);
const DAEMON = `${50_000 + process.pid}.7`;

const report = (summary: string, ...questions: readonly string[]): string =>
  `Done.\\n\`\`\`json\\n${JSON.stringify({ summary, changes: [], issues: [], questions })}\\n\`\`\``;
const waitFor = (file: string): string => `sh while ! test -e ${file}; do sleep 0.05; done`;
const OVERLOADED =
  'js ended("API Error: 529 overloaded", { is_error: true, terminal_reason: "api_error", api_error_status: 529 }); process.exit(1)';
/** Adds one to a file that many agents change, each under its lock. */
const COUNT = `sh ${GUARD} lock wait count --timeout 60s && n=$(cat count) && sleep 0.1 && echo $((n+1)) > count && ${GUARD} lock release count`;

const call = (n: number): string =>
  `js emit({type:"assistant",parent_tool_use_id:null,message:{id:"m${n}",model:"claude-haiku-9",content:[{type:"text",text:"${n}"}],usage:{input_tokens:100000,output_tokens:140000}}})`;

/** The steps of each agent, by name; those that are killed or restarted are added separately. */
const NIGHT: Readonly<Record<string, readonly [role: string, ...steps: string[]]>> = {
  counts: ['dev', COUNT, `result ${report('counted')}`],
  counting: [
    'dev',
    COUNT,
    `sh (setsid env -i sleep ${DAEMON} >/dev/null 2>&1 &)`,
    `result ${report('counted')}`,
  ],
  asks: ['dev', `result ${report('as far as I could', 'Which licence?')}`],
  commits: ['own', 'sh echo a > a && git add a && git commit -qm A', `result ${report('committed')}`],
  writes: ['own', 'sh echo b > b', `result ${report('written')}`],
  refused: ['dev', 'say Hm.', OVERLOADED],
  talks: ['dev', 'say One.', waitFor('full'), `say ${LONG}`, `say ${LONG}`, `result ${report('talked')}`],
  leads: [
    'lead',
    `sh ${GUARD} agent draft --role dev --name below --wait "${COUNT.replaceAll('"', '\\"').replaceAll('$', '\\$')}"`,
    `result ${report('led')}`,
  ],
  // The lead of a tree that reaches its budget: its agents may spend all of it.
  presses: [
    'payer',
    `sh for n in one two; do ${GUARD} agent draft --role spender --name spends-$n "$(cat spend)"; done; ${GUARD} agent await spends-one spends-two; true`,
    `result ${report('summed up')}`,
  ],
  alone: ['dev', 'say One.', `note ${report('worked on')}`, waitFor('alone'), 'hook Stop', 'hang'],
};

const draftAll = (at: Harness): void => {
  for (const [name, [role, ...steps]] of Object.entries(NIGHT)) at.draft(role, steps, '--name', name);
  for (let n = 0; n < MORE; n++)
    at.draft('dev', [COUNT, `result ${report('counted')}`], '--name', `more-${n}`);
};

const rowsNow = (at: Harness): readonly TreeRow[] => at.list('--since', '12h');

function committed(at: Harness): void {
  at.at.git('config', 'user.name', 'x');
  at.at.git('config', 'user.email', 'x@example.com');
  at.at.put('count', '0\n');
  at.at.put('spend', [1, 2, 3, 4].flatMap((n) => [call(n), 'sleep 1200']).join('\n'));
  at.at.git('add', '-A');
  at.at.git('commit', '-qm', 'Start');
}

const alive = (words: string): string[] =>
  execFileSync('/bin/ps', ['-A', '-o', 'state=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((row) => row.includes(words) && !row.startsWith('Z'));

if (!canMount) requiredOrSkipped('root, for a night on a small disk');

describe.runIf(canMount)('a night', () => {
  it('ends with every agent in a state that is true, and one screen tells it', async () => {
    const at = harness({ agents: { running: 6 } }, ROLES);
    committed(at);
    const disk = smallDisk(at.at, '8m');
    const [one, two] = [at.at.sleeper(), at.at.sleeper()];
    const earlier = (pid: number): ProcessMark => ({ ...markOf(pid), boot: 'an earlier one' });
    leftRunning(at, earlier(one.pid), earlier(two.pid));
    draftAll(at);
    const named = (name: string): TreeRow | undefined => rowsNow(at).find((row) => row.name === name);
    await until(() => named('alone')?.turns === 1 && named('talks')?.turns === 1, 60_000);
    // On a full disk, locks and drafts of other agents are refused.
    await until(() => rowsNow(at).filter(({ endedAt }) => endedAt === null).length === 2, 90_000);

    const supervisor = markOf(at.supervisor(named('alone')?.id ?? ''));
    disk.fill();
    at.at.put('full', '');
    process.kill(supervisor.pid, 'SIGKILL');
    await until(() => isDead(supervisor), 10_000);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    disk.free();
    writeFileSync(at.at.path('alone'), '');
    await until(() => rowsNow(at).every(({ endedAt }) => endedAt !== null), 90_000);

    const { stdout } = at.at.guardWith({ ...at.env, LINES: '24' }, 'agent', 'list', '--since', '12h');
    const lines = stdout.trimEnd().split('\n');
    expect(Math.max(...lines.map((line) => Array.from(line).length))).toBeLessThanOrEqual(80);
    expect(lines.length).toBeLessThanOrEqual(24 + MORE);

    const rows = Object.fromEntries(rowsNow(at).map((row) => [row.name ?? row.id, row]));
    const {
      refused,
      asks,
      [RESTARTED]: restarted,
      'spends-one': one_spent,
      'spends-two': two_spent,
      ...others
    } = rows;
    for (const row of [one_spent, two_spent]) expect(row).toMatchObject({ status: 'budget' });
    expect(refused).toMatchObject({ status: 'failed', api_error: { status: 529, is_transient: true } });
    expect(asks).toMatchObject({ status: 'completed', needs: { questions: ['Which licence?'] } });
    expect(restarted).toMatchObject({
      status: 'failed',
      reason: 'the machine was restarted while it was at work',
    });
    expect(Object.keys(others)).toHaveLength(9 + MORE);
    const ends = Object.values(others).map(({ name, status, reason, needs }) => [
      name,
      status,
      reason,
      needs,
    ]);
    expect(ends.filter(([, status, , needs]) => status !== 'completed' || needs !== null)).toEqual([]);

    // No report is lost.
    const reported = Object.keys(NIGHT).filter((name) => name !== 'refused');
    const told = reported.map((name) => at.await(name).result?.summary);
    expect(told).not.toContain(undefined);
    // No edit is lost.
    expect(at.at.read('count').trim()).toBe(String(3 + MORE));
    expect(rows['commits']?.worktree).toMatchObject({ files: 1, commits: 1 });
    expect(rows['writes']?.worktree).toMatchObject({ files: 1, commits: 0 });
    // No process is left.
    await until(() => alive('supervise.cjs').every((row) => !row.includes(at.at.state)), 10_000);
    expect(rowsNow(at).flatMap(({ id }) => at.processes(id))).toEqual([]);
    expect(alive(`sleep ${DAEMON}`)).toEqual([]);
    // No tree is overspent.
    const spent_usd = ['leads', 'below'].reduce((sum, name) => sum + (rows[name]?.cost_usd ?? Infinity), 0);
    expect(spent_usd).toBeLessThanOrEqual(TREE_USD);
    const pressed_usd = ['presses', 'spends-one', 'spends-two'].reduce(
      (sum, name) => sum + (rows[name]?.cost_usd ?? Infinity),
      0,
    );
    expect(pressed_usd).toBeGreaterThan(2.4);
    expect(pressed_usd).toBeLessThanOrEqual(2.4 + 2 * CALL_USD);
  }, 240_000);
});
