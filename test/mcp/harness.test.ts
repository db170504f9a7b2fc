/** The harness tools over stdio, called by the official SDK's client. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GUARD } from '../claude/driver.ts';
import { harness, type Harness, until } from '../harness/harness.ts';
import { HARNESS_TOOLS } from '../../src/core/harness-tools.ts';
import { SERVED_HARNESS_TOOLS } from '../../src/mcp/harness-tools.ts';
import { DRAFT_AGENT, KILL_AGENT } from '../../src/operations/drafted.ts';
import { readInput } from '../../src/operations/read-input.ts';

type Call = (name: string, input?: object) => Promise<{ told: Record<string, unknown>; failed: boolean }>;

const serve = (at: Harness, ...args: readonly string[]) => serveSets(at, 'harness', ...args);

async function serveSets(
  at: Harness,
  sets: string,
  ...args: readonly string[]
): Promise<{ client: Client; call: Call }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [GUARD, 'mcp', '--tools', sets, ...args],
    cwd: at.at.root,
    env: { ...at.at.env, ...at.env },
    stderr: 'inherit',
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  // Once the SDK knows a tool's output schema, it validates every answer against it.
  await client.listTools();
  onTestFinished(() => client.close());
  return {
    client,
    async call(name, input = {}) {
      const result = await client.callTool({ name, arguments: { ...input } });
      const [content] = result.content as { text: string }[];
      const text = content?.text ?? 'null';
      const told = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text };
      return { told, failed: result.isError === true };
    },
  };
}

/** A zombie counts as alive. */
function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const namesOf = async (client: Client): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name).sort();

describe('what no schema names', () => {
  it.each([
    ['draft_agent', { role: 'nobody', prompt: 'x' }, 'is_plan'],
    ['kill_agent', { agentId: 'nobody' }, 'reason'],
  ])('changes no call of %s', (name, known, odd) => {
    const tool = SERVED_HARNESS_TOOLS.find((one) => one.name === name);
    const { properties } = (tool?.listed as { inputSchema: { properties: object } }).inputSchema;
    expect(properties).not.toHaveProperty(odd);
    const operation = { draft_agent: DRAFT_AGENT, kill_agent: KILL_AGENT }[name as 'draft_agent'];
    expect(readInput(operation.fields, { ...known, [odd]: 'true' }).notes).toEqual([
      `"${odd}" is not an argument of this call and was ignored.`,
    ]);
  });
});

describe('which tools are served', () => {
  it('all six to a person and to a role of a full category', async () => {
    const at = harness();
    expect(await namesOf((await serve(at)).client)).toEqual([...HARNESS_TOOLS].sort());
    expect(await namesOf((await serve(at, '--role', 'lead')).client)).toEqual([...HARNESS_TOOLS].sort());
  });

  it('three to every other role, and a call of another one is an error', async () => {
    const { client, call } = await serve(harness(), '--role', 'dev');
    expect(await namesOf(client)).toEqual(['get_task_context', 'list_agents', 'list_tasks']);
    const refused = await call('draft_agent', { role: 'dev', prompt: 'x' });
    expect(refused.failed).toBe(true);
  });

  it('a repository can take a category away, and cannot add one', async () => {
    const none = harness({ mcp: { fullAccessCategories: [] } });
    expect(await namesOf((await serve(none, '--role', 'lead')).client)).toHaveLength(3);
    const more = harness({ mcp: { fullAccessCategories: ['worker', 'conversational'] } });
    expect(await namesOf((await serve(more, '--role', 'dev')).client)).toHaveLength(3);
    expect(await namesOf((await serve(more, '--role', 'lead')).client)).toHaveLength(7);
  });
});

describe('one server for all', () => {
  it('has the tools of every set, one list_agents, and of the role’s only those that it may call', async () => {
    const at = harness();
    const { client, call } = await serveSets(
      at,
      'locks,coordination,harness',
      '--role',
      'dev',
      '--agent',
      'D',
    );
    const names = await namesOf(client);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['lock_try', 'send_message', 'list_agents', 'list_tasks']));
    expect(names).not.toContain('draft_agent');
    const id = at.draft('dev', ['hang']);
    expect((await call('list_agents')).told).toMatchObject({
      agents: [{ id, role: 'dev' }],
      here: expect.arrayContaining([
        expect.objectContaining({ agent_id: id }),
        expect.objectContaining({ agent_id: 'D' }),
      ]) as object[],
    });
    expect((await call('lock_try', { filepaths: ['a.txt'] })).told).toMatchObject({ all_acquired: true });
  });

  it('names the roles of here where one is to be drafted', async () => {
    const { client } = await serve(harness());
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'draft_agent')?.description).toMatch(/Roles: .*dev, .*lead/);
  });

  it('below a drafted agent serves what that may call, whatever the server was started as', async () => {
    const at = harness();
    const id = at.draft('dev', ['hang']);
    const below = { ...at, env: { ...at.env, GUARD_DRAFTED: id } };
    expect(await namesOf((await serve(below)).client)).toEqual([
      'get_task_context',
      'list_agents',
      'list_tasks',
    ]);
  });
});

describe('the tools', () => {
  it('draft_agent returns at once, list_agents has it, await_agent its result, get_task_context its part', async () => {
    const at = harness();
    const { call } = await serve(at);
    expect((await call('list_agents')).told).toMatchObject({
      agents: [],
      agent: expect.any(String) as string,
    });
    expect((await call('list_tasks')).told).toMatchObject({ tasks: [] });
    const block = '{"summary":"did it","changes":[],"issues":[],"questions":[]}';
    const [one, two] = [
      await call('draft_agent', { role: 'dev', prompt: `sleep 1500\nresult ${block}` }),
      await call('draft_agent', { role: 'short', prompt: 'sleep 1500\nresult Fine.', taskSlug: 'mine' }),
    ];
    expect(two.told).toMatchObject({
      agentId: expect.stringMatching(/^claude-/) as string,
      role: 'short',
      taskSlug: 'mine',
    });
    const { agents } = (await call('list_agents')).told as { agents: { id: string; startedAt: string }[] };
    expect(agents).toMatchObject([
      { id: one.told['agentId'], role: 'dev' },
      { id: two.told['agentId'], role: 'short', taskSlug: 'mine' },
    ]);
    const ends = await Promise.all(
      [one, two].map(({ told }) => call('await_agent', { agentId: told['agentId'] })),
    );
    expect(ends.map(({ told }) => told)).toMatchObject([
      { status: 'completed', result: { summary: 'did it' } },
      { status: 'completed', message: 'Fine.' },
    ]);
    expect(ends[1]?.told).not.toHaveProperty('result');
    expect((await call('list_tasks')).told).toMatchObject({
      tasks: expect.arrayContaining([
        expect.objectContaining({ slug: 'mine', dispatchCount: 1 }),
      ]) as object[],
    });
    const { context } = (await call('get_task_context', { taskSlug: 'mine' })).told as { context: string };
    expect(context).toContain('> Fine.');
  });

  it('await_agent is a wait: who holds what the agent waits for is told to let go, and may wait again', async () => {
    const at = harness();
    const { call } = await serve(at, '--agent', 'P');
    const { agentId } = (await call('draft_agent', { role: 'dev', prompt: 'hang' })).told;
    const id = String(agentId);
    expect(at.guard('lock', 'try', 'x', '--agent', 'P').exit).toBe(0);
    const session = { ...at.env, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: id.slice('claude-'.length) };
    const waits = at.at.startGuard(session, 'lock', 'wait', 'x', '--timeout', '30s', '--json');
    const { told } = await call('await_agent', { agentId });
    expect(told).toMatchObject({ status: 'deadlock', deadlock: { victim: 'P' } });
    expect(told['message']).toContain(`P waits for the agent ${id}`);
    const { release } = told['deadlock'] as { release: string };
    expect(release).toMatch(/lock release .*x --agent P$/);
    expect(at.at.shell(release, at.env).exit).toBe(0);
    expect(JSON.parse((await waits.done).stdout)).toMatchObject({ all_acquired: true });
    const again = call('await_agent', { agentId });
    await until(() => at.at.log('wait').filter((record) => record['for'] === id).length > 1, 10_000);
    expect((await call('kill_agent', { agentId })).told).toMatchObject({ success: true });
    expect((await again).told).toMatchObject({ status: 'killed' });
    expect(at.guard('deadlock').exit).toBe(0);
  });

  it('kill_agent ends a running one, and says so of one that is over', async () => {
    const at = harness();
    const { call } = await serve(at);
    const { agentId } = (await call('draft_agent', { role: 'dev', prompt: 'hang' })).told;
    const supervisor = at.supervisor(String(agentId));
    expect(alive(supervisor)).toBe(true);
    expect((await call('kill_agent', { agentId })).told).toMatchObject({ success: true });
    // Its parent is this server, which lives on: it must not even leave a zombie.
    await until(() => !alive(supervisor), 5_000);
    expect((await call('kill_agent', { agentId })).told).toMatchObject({ success: false });
    expect((await call('await_agent', { agentId })).told).toMatchObject({ status: 'killed' });
  });

  it.each([
    ['await_agent', { agentId: 'claude-nobody' }, 'GUARD_ERR_AGENT'],
    ['draft_agent', { role: 'nobody', prompt: 'x' }, 'GUARD_ERR_USAGE'],
    ['draft_agent', { role: '../dev', prompt: 'x' }, 'GUARD_ERR_USAGE'],
    ['draft_agent', { role: 'dev', prompt: 'x', taskSlug: '../out' }, 'GUARD_ERR_USAGE'],
    ['get_task_context', { taskSlug: 'nothing' }, 'GUARD_ERR_USAGE'],
    ['get_task_context', { taskSlug: '../../x' }, 'GUARD_ERR_USAGE'],
  ])('%s with %j is an error', async (name, input, code) => {
    const { told, failed } = await (await serve(harness())).call(name, input);
    expect(failed).toBe(true);
    expect(told).toMatchObject({ error: { code } });
  });

  it('an agent outlives the server that drafted it', async () => {
    const at = harness();
    const { client, call } = await serve(at);
    const { agentId } = (await call('draft_agent', { role: 'dev', prompt: 'sleep 800\nresult Still here.' }))
      .told;
    await client.close();
    expect(at.await(String(agentId))).toMatchObject({ status: 'completed', message: 'Still here.' });
  });
});

describe('the hook', () => {
  it('tells the server who calls, and refuses a role that may only look on whatever server', () => {
    const at = harness();
    const id = at.draft('dev', ['hang']);
    const event = (session_id: string, server: string) => ({
      hook_event_name: 'PreToolUse',
      session_id,
      cwd: at.at.root,
      tool_name: `mcp__${server}__draft_agent`,
      tool_input: { role: 'dev', prompt: 'x' },
      tool_use_id: 'toolu_1',
    });
    const refused = at.at.hook(event(id.slice('claude-'.length), 'wrong'));
    expect(refused).toMatchObject({ exit: 2 });
    expect(JSON.stringify(refused)).toContain('NOT_PERMITTED');
    for (const server of ['guard', 'guard-harness', 'plugin_guard_guard-harness'])
      expect(JSON.stringify(at.at.hook(event('me', server)))).toContain('claude-me');
    at.at.put('.mcp.json', '{"mcpServers":{"guard-harness":{"command":"another"}}}');
    expect(at.at.hook(event('me', 'guard-harness'))).toMatchObject({ exit: 0, stdout: '' });
    expect(at.at.hook(event('me', 'wrong'))).toMatchObject({ exit: 0 });
  });
});
