/** Leases kept by a machine: writes continue while the engine is away, up to a deadline, and are recorded later. */
import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Scratch, type Session, working } from '../claude/driver.ts';
import { ownCluster, two } from '../cli/two-machines.ts';
import { haltCluster, startAgain } from '../store/postgres/cluster.ts';
import { SCOPE } from '../../src/core/lease-scope.ts';
import { userStateDir } from '../../src/repo/user-dirs.ts';
import type { LeaseCache } from '../../src/workspace/lease-cache.ts';
import { forgetAll, rewriteCache } from '../chaos/slept-cache.ts';
import { hasPostgres } from '../store/postgres/programs.ts';

/** One directory for each repository and machine. */
function cacheOf(at: Scratch): string {
  const dir = `${userStateDir(at.env)}/fleet`;
  return `${dir}/${fs.readdirSync(dir)[0] ?? ''}/leases.cache`;
}

const without = (states: LeaseCache['states'], gone: string): LeaseCache['states'] =>
  Object.fromEntries(Object.entries(states).filter(([key]) => key !== gone));

/** An agent that has read both files and locked one. */
function holding(at: Scratch): Session {
  const agent = working(at);
  agent.read('a.txt');
  agent.read('b.txt');
  agent.lock('a.txt');
  return agent;
}

const endsIn = (at: Scratch, agent: string): readonly string[] =>
  at
    .guard('log', '--json', '--agent', agent)
    .lines()
    .map(({ type }) => String(type))
    .filter((type) => ['write', 'bypass', 'write.raced', 'command.end'].includes(type));

describe.skipIf(!hasPostgres())('a lease that this machine keeps', { timeout: 120_000 }, () => {
  test('lets its holder write while the engine is away, and nobody else; afterwards all is on record once', async () => {
    const cluster = await ownCluster();
    const [a, b] = two(cluster);
    const agent = holding(a);
    // A second process of the session, which is another agent.
    const twin = working(a, { id: agent.id });
    const command = twin.call('Bash', { command: `echo x > ${a.path('b.txt')}` });
    expect(twin.pre(command).exit).toBe(0);
    await haltCluster(cluster);
    const began_ms = performance.now();
    const { pre } = agent.edit('a.txt', '1\n', '2\n');
    expect(pre.exit).toBe(0);
    console.warn(`an Edit and its end without the engine: ${Math.round(performance.now() - began_ms)} ms`);
    // The next edit builds on it.
    const next_ms = performance.now();
    expect(agent.edit('a.txt', '2\n', '3\n').pre.exit).toBe(0);
    console.warn(`another one: ${Math.round(performance.now() - next_ms)} ms`);
    const other = agent.edit('b.txt', '2\n', '3\n');
    expect(other.pre.exit).toBe(2);
    expect(JSON.stringify(other.pre)).toMatch(/GUARD_ERR_ENGINE_AWAY.*a\.txt is held by/);
    expect(fs.readdirSync(`${a.state}/late`)).toHaveLength(4);
    // The end of this one needs a state that is not cached, so what it was is not known yet.
    const forget = ({ states, ...cache }: LeaseCache): LeaseCache => ({
      ...cache,
      states: without(states, SCOPE),
    });
    let whole: Buffer | undefined;
    const after = (change: typeof forget) => () => {
      whole = fs.readFileSync(cacheOf(a));
      rewriteCache(a, change);
    };
    const unsure = agent.edit('a.txt', '3\n', '4\n', { after: after(forget) });
    expect(unsure.post?.stderr).toContain('What was done is kept');
    fs.writeFileSync(cacheOf(a), whole ?? '');
    const unknown = agent.edit('a.txt', '4\n', '5\n', { after: after(forgetAll) });
    expect(unknown.post?.stderr).toContain('What was done is kept');
    expect(twin.post(command, { stdout: '' }).stderr).toContain('What was done is kept');
    await startAgain(cluster);

    // It is no change by anybody else.
    expect(agent.edit('a.txt', '5\n', '6\n').pre.denial).toBe(null);
    agent.batch();
    expect(fs.existsSync(`${a.state}/late`)).toBe(false);
    expect(endsIn(b, agent.name)).toEqual(['write', 'write', 'write', 'write', 'write']);
    expect(endsIn(b, `${agent.name}~2`)).toEqual(['command.end']);
  });

  test('is none where the file says so that cannot be trusted', async () => {
    const cluster = await ownCluster();
    const [a] = two(cluster);
    const agent = holding(a);
    const file = cacheOf(a);
    const whole = fs.readFileSync(file, 'utf8');
    await haltCluster(cluster);
    const isBelieved = (text: string): boolean => {
      fs.writeFileSync(file, text);
      return agent.edit('a.txt', '1\n', '1\n').pre.exit === 0;
    };
    const [, json = ''] = /^\w+ (.*)\n$/.exec(whole) ?? [];
    expect(isBelieved(whole.replace(/"left_ms":\d/, '"left_ms":9'))).toBe(false);
    expect(isBelieved(`${'0'.repeat(64)} ${json}\n`)).toBe(false);
    expect(isBelieved(whole.slice(0, -100))).toBe(false);
    expect(isBelieved(whole)).toBe(true);
  });

  test('ends at its deadline, which the engine does not know to be any later', async () => {
    const cluster = await ownCluster();
    const [a] = two(cluster, { ttl: '30s', idle: '30s' });
    const agent = holding(a);
    await haltCluster(cluster);
    expect(agent.edit('a.txt', '1\n', '2\n').pre.exit).toBe(0);
    await pause(24_000);
    const late = agent.edit('a.txt', '2\n', '3\n');
    expect(late.pre.exit).toBe(2);
    expect(JSON.stringify(late.pre)).toMatch(/GUARD_ERR_ENGINE_AWAY/);
    await startAgain(cluster);
    agent.read('a.txt');
    agent.lock('a.txt');
    expect(agent.edit('a.txt', '2\n', '3\n').pre.exit).toBe(0);
  });

  test('that its holder let go of is kept no longer, though whoever released it is killed at once', async () => {
    const cluster = await ownCluster();
    const [a] = two(cluster);
    const agent = holding(a);
    agent.guard('lock', 'release', 'a.txt');
    await haltCluster(cluster);
    expect(agent.edit('a.txt', '1\n', '2\n').pre.exit).toBe(2);
  });

  test('that another machine was given meanwhile is noticed at the end of the write, and told', async () => {
    const cluster = await ownCluster();
    const [a, b] = two(cluster);
    const agent = holding(a);
    const second = working(b);
    // As if this machine had slept through the release: its lease cache does not know.
    const cache = fs.readFileSync(cacheOf(a));
    agent.guard('lock', 'release', 'a.txt');
    second.lock('a.txt');
    fs.writeFileSync(cacheOf(a), cache);
    const { pre, post } = agent.edit('a.txt', '1\n', '2\n');
    expect(pre.exit).toBe(0);
    expect(JSON.stringify(post)).toContain(second.name);
    expect(JSON.stringify(post)).toMatch(/ended before your last write was recorded/);
    expect(JSON.stringify(post)).not.toContain('updatedInput');
    expect(b.guard('log', '--json', '--type', 'bypass').lines()).toMatchObject([
      { path: expect.stringMatching(/^\/\/~@.*\/a\.txt$/) as string },
    ]);
  });

  test('that was lost while the engine was away is told before the agent pushes, once, and until then nothing is pushed', async () => {
    const cluster = await ownCluster();
    const [a, b] = two(cluster);
    const agent = holding(a);
    const second = working(b);
    const cache = fs.readFileSync(cacheOf(a));
    agent.guard('lock', 'release', 'a.txt');
    second.lock('a.txt');
    fs.writeFileSync(cacheOf(a), cache);
    await haltCluster(cluster);
    expect(agent.edit('a.txt', '1\n', '2\n').pre.exit).toBe(0);
    const push = (command = 'git push') => agent.pre(agent.call('Bash', { command }));
    const unknown = push();
    expect(unknown.exit).toBe(2);
    expect(JSON.stringify(unknown)).toMatch(/WORK_OF_OTHERS.*a\.txt.*engine_away/);
    expect(JSON.stringify(push('git commit -m push'))).not.toMatch(/WORK_OF_OTHERS/);
    // What git's own hook asks, for an agent whose command line does not show it, and for a person.
    const fromHook = (env = agent.env) => a.guardWith(env, 'git-hook', 'pre-push');
    const unseen = fromHook();
    expect([unseen.exit, unseen.stdout]).toEqual([1, 'refused']);
    expect(unseen.stderr).toMatch(/WORK_OF_OTHERS: this push was refused.*a\.txt/);
    expect(fromHook({ GUARD_AGENT_ID: 'codex-1' })).toMatchObject({ exit: 0, stderr: '' });
    expect(fromHook({})).toMatchObject({ exit: 0, stderr: expect.stringContaining('a.txt') as string });
    await startAgain(cluster);
    expect(fromHook()).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/overwrite.*a\.txt/) as string,
    });
    const first = push();
    expect(first.exit).toBe(2);
    expect(JSON.stringify(first)).toMatch(/WORK_OF_OTHERS.*a\.txt/);
    expect(push().exit).toBe(0);
    expect(fromHook()).toMatchObject({ exit: 0, stderr: '' });
  });
});
