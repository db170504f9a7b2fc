/** A guarded repository with roles, in which `claude` is a small program that does what its prompt says. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Env, scratch, type Scratch } from '../claude/driver.ts';
import type { Command } from '../claude/driver/scratch.ts';
import type { AwaitResult } from '../../src/harness/awaited.ts';
import type { TreeRow } from '../../src/harness/list.ts';

export const FAKE = join(import.meta.dirname, '../fixtures/claude');

export interface Harness {
  readonly at: Scratch;
  readonly env: Env;
  guard(...args: readonly string[]): Command;
  /** Drafts an agent that performs these steps; returns its id. */
  draft(role: string, steps: readonly string[], ...more: readonly string[]): string;
  /** Runs guard from the session of this agent. */
  as(agent: string, ...args: readonly string[]): Command;
  await(id: string): AwaitResult;
  list(...more: readonly string[]): readonly TreeRow[];
  /** The arguments, environment and prompt that an agent's client was started with. */
  started(id: string): { argv: string[]; env: Record<string, string>; prompt: string; pid: number };
  /** Live processes of an agent. */
  processes(id: string): string[];
  /** The pid of an agent's supervisor. */
  supervisor(id: string): number;
}

const ROLES: Readonly<Record<string, object>> = {
  lead: { category: 'conversational', prompt: 'You lead.' },
  dev: { category: 'worker', prompt: ['You write code.', 'Carefully.'], tools: ['Edit'], model: 'opus' },
  short: { category: 'worker', prompt: 'You are quick.', limits: { turns: 3, wall: '30s' } },
  brief: { category: 'worker', prompt: 'You are quicker.', limits: { wall: '2s' } },
  quiet: { category: 'worker', prompt: 'You may not be silent.', limits: { stall: '1s' } },
  circling: { category: 'worker', prompt: 'You may not repeat yourself.', limits: { repeats: 3 } },
  thrifty: { category: 'conversational', prompt: 'You share.', limits: { tree_turns: 2 } },
};

export function harness(config: object = {}, roles: Readonly<Record<string, object>> = {}): Harness {
  const at = scratch({ config });
  for (const [name, role] of Object.entries({ ...ROLES, ...roles }))
    at.put(`.agents/roles/${name}.json`, JSON.stringify({ name, ...role }));
  const record = join(at.home, 'started');
  const env = { PATH: [FAKE, at.env['PATH']].join(delimiter), FAKE_RECORD: record };
  const guard = (...args: readonly string[]): Command => at.guardWith(env, ...args);
  onTestFinished(() => {
    // There are none if the test's configuration is invalid.
    const { agents = [] } = guard('agent', 'list', '--json').json() as { agents?: TreeRow[] };
    for (const { id } of agents) guard('agent', 'kill', id);
  });
  return {
    at,
    env,
    guard,
    draft(role, steps, ...more) {
      const told = guard('agent', 'draft', '--role', role, '--json', ...more, '--', steps.join('\n'));
      if (told.exit !== 0) throw new Error(`${String(told.exit)} ${told.stdout}${told.stderr}`);
      return (told.json() as { agentId: string }).agentId;
    },
    as: (agent, ...args) =>
      at.guardWith(
        { ...env, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: agent.slice('claude-'.length) },
        ...args,
      ),
    await: (id) => guard('agent', 'await', id, '--json').json() as AwaitResult,
    list: (...more) => (guard('agent', 'list', '--json', ...more).json() as { agents: TreeRow[] }).agents,
    started: (id) =>
      JSON.parse(readFileSync(`${record}.${id.slice('claude-'.length)}`, 'utf8')) as ReturnType<
        Harness['started']
      >,
    processes: (id) => pidsWith(`GUARD_DRAFTED=${id}`),
    supervisor: (id) => {
      const pid = execFileSync('/bin/ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' })
        .split('\n')
        .find((row) => row.includes('supervise.cjs') && row.includes(id.slice('claude-'.length)));
      return Number(pid?.trim().split(' ')[0]);
    },
  };
}

function pidsWith(mark: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(mark);
    } catch {
      // Not a process, or one that has ended meanwhile.
      return false;
    }
  });
}

export { until } from '../mcp/client.ts';
