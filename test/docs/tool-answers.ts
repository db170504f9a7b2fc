/** Real answers for each page that describes tools: every tool run in this process, as a server runs it. */
import { join } from 'node:path';
import type { Denial } from '../../src/core/denial.ts';
import { deny } from '../../src/claude/output.ts';
import { callerOf } from '../../src/cli/caller.ts';
import { openHarness } from '../../src/harness/workspace.ts';
import { openWaiters } from '../../src/locks/waiters.ts';
import { SERVED_COORDINATION_TOOLS } from '../../src/mcp/coordination-tools.ts';
import { SERVED_EVERYBODY, SERVED_HARNESS_TOOLS } from '../../src/mcp/harness-tools.ts';
import { SERVED_LOCK_TOOLS } from '../../src/mcp/lock-tools.ts';
import type { Tool } from '../../src/mcp/tool.ts';
import type { DrafterWorkspace } from '../../src/operations/drafted.ts';
import { FORECAST } from '../../src/operations/forecast.ts';
import { meantBy } from '../../src/operations/pattern.ts';
import { failureOf } from '../../src/operations/operation.ts';
import { encodeRecord } from '../../src/store/record.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { type Scratch, scratch } from '../claude/driver.ts';
import { harness } from '../harness/harness.ts';
import { ENDING, endLeft, ID, leftRunning, markOf } from '../harness/left.ts';
import { stageIn } from '../page/stage.ts';

type AnswersByPage = Readonly<Record<string, readonly object[]>>;

type Call = (tool: string, agent: string, input?: object) => Promise<Readonly<Record<string, unknown>>>;

const LOCKING = [...SERVED_LOCK_TOOLS, ...SERVED_COORDINATION_TOOLS];
const AROUND = { signal: new AbortController().signal, release: () => '', waiters: openWaiters() };

/** @param kept every answer, refusal and notification is added here */
const callsTo =
  <At>(
    tools: readonly Tool<At & DrafterWorkspace>[],
    root: string,
    env: Scratch['env'],
    kept: object[],
  ): Call =>
  async (name, agent, input = {}) => {
    const space = openHarness(locateRepo(root), env);
    try {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`There is no tool ${name}.`);
      const workspace = { ...space, who: callerOf(space, agent) } as unknown as At & DrafterWorkspace;
      const { answer, signal } = await tool.prepare({ ...input })(workspace, AROUND);
      // A list has a name only as structured content.
      kept.push(tool.list === null ? answer : { [tool.list]: answer }, ...(signal === null ? [] : [signal]));
      return answer as Readonly<Record<string, unknown>>;
    } catch (error) {
      const failure = failureOf(error);
      if (failure === null) throw error;
      kept.push(failure);
      return {};
    } finally {
      space.close();
    }
  };

export async function answersByPage(): Promise<AnswersByPage> {
  const [coordination, drafted] = [await coordinationAnswers(), await harnessAnswers()];
  const { locks, elsewhere } = await lockAnswers();
  return {
    'docs/mcp.md': locks,
    'docs/coordination.md': coordination,
    'docs/harness.md': drafted,
    'docs/worktrees.md': elsewhere,
    'docs/forecast.md': [await forecastAnswer()],
    'docs/hosts.md': [parsed(deny(DENIAL).stdout)],
    'docs/architecture.md': [parsed(encodeRecord(RECORD, { lsn: 1, prev: 0, more: 0 }).bytes.toString())],
  };
}

const DENIAL = { error_type: 'NOT_READ', message: 'm', details: {}, recovery_hint: 'h' } as unknown as Denial;
const RECORD = { type: 'hold', agent: 'ann', ts_ms: 1, s: { key: 'state' } };
const parsed = (text: string): object => JSON.parse(text) as object;

async function lockAnswers(): Promise<{ locks: object[]; elsewhere: object[] }> {
  const at = scratch({ files: { 'a.ts': 'a\n', 'src/b.ts': 'b\n' } });
  const locks: object[] = [];
  const call = callsTo(LOCKING, at.root, at.env, locks);
  await call('lock_try', 'ann', { filepaths: ['a.ts'], ttl_seconds: '60' });
  await call('reserve_files', 'ann', { patterns: ['src/**'], reason: 'api' });
  locks.length = 0;
  await call('lock_try', 'ben', { filepaths: ['a.ts', 'src/b.ts'] });
  await call('lock_wait', 'ben', { filepaths: ['a.ts'], timeout_seconds: 0.01 });
  await call('lock_try', 'ben', {});
  await call('lock_status', 'ben', { filepaths: ['a.ts', 'src/b.ts'] });
  await call('lock_status', 'ann');
  await call('lock_release', 'ann', { filepaths: ['a.ts', 'src/b.ts'] });
  await call('lock_release_all', 'ann');
  await call('my_reservations', 'ann');
  await call('list_agents', 'ann');
  await callsTo([...SERVED_EVERYBODY], at.root, at.env, locks)('list_agents', 'ann');
  committed(at);
  at.git('worktree', 'add', '-q', join(at.home, 'side'));
  const side = { filepaths: [join(at.home, 'side/a.ts')] };
  await callsTo(LOCKING, at.root, at.env, [])('lock_try', 'cleo', side);
  const { results } = await callsTo(LOCKING, at.root, at.env, [])('lock_try', 'ann', { filepaths: ['a.ts'] });
  const elsewhere = (results as { elsewhere?: object[] }[]).flatMap((row) => row.elsewhere ?? []);
  return { locks, elsewhere };
}

async function coordinationAnswers(): Promise<object[]> {
  const at = scratch({ files: { 'a.ts': 'a\n', 'old.ts': 'x\n' } });
  const kept: object[] = [];
  const call = callsTo(LOCKING, at.root, at.env, kept);
  const stage = stageIn(at);
  stage.ago(700);
  stage.lock('ben', 'old.ts');
  const who = { id: 'ann', kind: 'session' as const, parent: null, session: 'ann', proc: null };
  stage.run({
    ...{ type: 'negotiate.request', who, to: 'ben', meant: meantBy(stage.space, 'old.ts'), reason: 'r' },
    ...{ urgency: 'normal', thread_id: 't' },
  });
  stage.ago(0);
  await call('reserve_files', 'ann', { patterns: ['src/**'], reason: 'api' });
  await call('reserve_files', 'ben', { patterns: ['src/*.ts', '/etc/x', 'doc/**'], reason: 'doc' });
  await call('check_conflicts', 'ben', { patterns: ['src/*.ts', 'free/**'] });
  await call('my_reservations', 'ann');
  await call('release_files', 'ann', { reservation_ids: ['r-none'] });
  await call('release_all', 'ann');
  await call('send_message', 'ann', { to: 'ben', subject: 's', body: 'Hello.' });
  await call('fetch_inbox', 'ben');
  await call('fetch_inbox', 'ben', { cursor: 'none' });
  await call('list_agents', 'ann');
  await callsTo(LOCKING, at.root, at.env, [])('lock_try', 'ben', { filepaths: ['a.ts'] });
  await call('request_release', 'ann', { agent_name: 'ben', pattern: 'a.ts', reason: 'r' });
  const asked = { agent_name: 'ben', file: 'a.ts', reason: 'r', urgency: 'urgent' };
  const { thread_id } = await call('negotiate_release', 'ann', asked);
  const answer = { thread_id, requester: 'ann', file: 'a.ts' };
  await call('respond_to_release', 'ben', { ...answer, action: 'defer', eta_minutes: 5, reason: 'soon' });
  await call('respond_to_release', 'ben', { ...answer, action: 'release' });
  await call('respond_to_release', 'ben', { ...answer, action: 'release' });
  await call('fetch_inbox', 'ann');
  return kept;
}

/** An agent that works, one that is queued behind it, and the end of the first. */
async function harnessAnswers(): Promise<object[]> {
  const at = harness({ agents: { running: 1 } });
  const kept: object[] = [];
  const env = { ...at.at.env, ...at.env };
  const call = callsTo([...SERVED_HARNESS_TOOLS], at.at.root, env, kept);
  leftRunning(at, markOf(process.pid), markOf(process.pid));
  const drafted = await call('draft_agent', 'me', { role: 'dev', prompt: 'result Done.' });
  const { agentId: next, taskSlug } = drafted;
  await call('list_agents', 'me');
  await callsTo([...SERVED_EVERYBODY], at.at.root, env, kept)('list_agents', 'me');
  await call('message_agent', 'me', { agentId: ID, text: 'Hello.' });
  await call('await_agent', 'me', { agentId: next, timeout_seconds: 0.01 });
  await call('await_agent', 'me', { agentId: [ID, next], timeout_seconds: 0.01 });
  await call('await_agent', 'me', { agentId: [ID, next], timeout_seconds: 0.01, first: true });
  await call('draft_agent', 'me', { role: 'nobody', prompt: 'x' });
  await call('kill_agent', 'me', { agentId: next });
  const space = openHarness(locateRepo(at.at.root), env);
  endLeft(space, {
    ...{ ...ENDING, status: 'failed' },
    result: { summary: 's', changes: ['a.txt'], issues: [], questions: ['Why?'] },
    needs: { questions: ['Why?'], denials: [{ tool: 'Bash', rule: 'Bash(npm install:*)', count: 1 }] },
    api_error: { status: 529, kind: 'overloaded_error', attempts: 10, is_transient: true },
  });
  space.close();
  await call('await_agent', 'me', { agentId: ID });
  await call('list_tasks', 'me');
  await call('get_task_context', 'me', { taskSlug });
  return kept;
}

async function forecastAnswer(): Promise<object> {
  const at = scratch({ files: { 'a.ts': 'a\n' } });
  committed(at);
  at.git('worktree', 'add', '-q', join(at.home, 'side'));
  for (const [root, text] of [
    [at.root, 'here\n'],
    [join(at.home, 'side'), 'there\n'],
  ] as const)
    at.put(join(root, 'a.ts'), text);
  const asked = { trunk: undefined, changed: undefined, run: 'true', each_pair: false };
  return FORECAST.run(asked, { cwd: at.root, env: at.env }, AROUND);
}

function committed(at: Scratch): void {
  at.git('add', '-A');
  at.git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-q', '-m', 'x');
}
