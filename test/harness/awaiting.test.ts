/** Waiting for agents: one, several, the first of several; answers before they end, and who else is notified. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { patienceOf } from '../../src/mcp/patience.ts';
import { answerWithin } from '../../src/operations/awaiting.ts';
import { serve } from '../mcp/client.ts';
import { harness, type Harness, until } from './harness.ts';

const BLOCK = '```json\\n{"summary":"did it","changes":[],"issues":[],"questions":[]}\\n```';
const REPORT = JSON.stringify('Done.\n```json\n{"summary":"did it"}\n```');
/** As the client reports a call that was not permitted. */
const REFUSED =
  'js said([{type:"tool_use",id:"t1",name:"Bash",input:{command:"npm ci"}}]); emit({type:"system",subtype:"permission_denied",tool_name:"Bash",tool_use_id:"t1"})';

const user = (at: Harness, config: object): void => {
  const dir = join(at.at.home, '.config/guard');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'config.json'), JSON.stringify(config));
};

describe('guard agent await', () => {
  it('ends with 3 where the agent completed and needs somebody, and says what to add where', () => {
    const at = harness();
    const id = at.draft('dev', [REFUSED, 'result I was not allowed to.']);
    const told = at.guard('agent', 'await', id);
    expect(told.exit).toBe(3);
    expect(told.stdout).toContain('completed, was not allowed');
    expect(told.stdout).toContain('add');
    expect(told.stdout).toContain('"Bash(npm ci:*)" to "tools" in .agents/roles/dev.json');
    expect(at.await(id)).toMatchObject({
      status: 'completed',
      needs: { questions: [], denials: [{ tool: 'Bash', rule: 'Bash(npm ci:*)', count: 1 }] },
    });
    expect(at.list('--all')).toMatchObject([{ id, needs: { denials: [{ rule: 'Bash(npm ci:*)' }] } }]);
    const done = at.draft('dev', ['result Fine.']);
    at.await(done);
    expect(at.list()).toMatchObject([{ id }]);
    expect(at.guard('agent', 'list').stdout).toMatch(/STATE .*\n! completed .*[^]*1 needs you/);
    const [task] = (at.guard('task', 'list', '--json').json() as { tasks: { slug: string }[] }).tasks;
    expect(at.guard('task', 'context', task?.slug ?? '').stdout).toContain(
      'Not allowed:\n- Bash(npm ci:*) (1)',
    );
  });

  it('says of one that is at work what it was refused so far, and so does the list', async () => {
    const at = harness();
    const id = at.draft('dev', [REFUSED, 'hang']);
    await until(() => at.list()[0]?.needs !== null, 15_000);
    const needs = { questions: [], denials: [{ tool: 'Bash', rule: 'Bash(npm ci:*)', count: 1 }] };
    expect(at.list()).toMatchObject([{ id, status: 'running', needs }]);
    const early = at.guard('agent', 'await', id, '--timeout', '200ms', '--json').json();
    expect(early).toMatchObject({ status: 'running', needs });
    expect((early as { hint: string }).hint).toContain('.agents/roles/dev.json');
    expect(at.guard('agent', 'list').stdout).toMatch(/\n! running .*its role lacks "Bash\(npm ci:\*\)"/);
  });

  it('answers of several all of them, the first of them, and no more than its time', async () => {
    const at = harness();
    const slow = at.draft('dev', ['say On it.', 'sleep 4000', 'result Slow.']);
    const fast = at.draft('dev', [`result ${BLOCK}`]);
    const first = at.guard('agent', 'await', slow, fast, '--first', '--json');
    expect(first.exit).toBe(0);
    expect(first.json()).toMatchObject({ agentId: fast, status: 'completed', running: [slow] });
    await until(() => at.list()[0]?.turns === 1, 15_000);
    const early = at.guard('agent', 'await', slow, fast, '--timeout', '200ms', '--json');
    expect(early.exit).toBe(1);
    expect(early.json()).toMatchObject({
      status: 'running',
      agents: [
        { agentId: slow, status: 'running', turns: 1, message: 'On it.' },
        { agentId: fast, status: 'completed' },
      ],
    });
    const all = at.guard('agent', 'await', slow, fast, '--json');
    expect(all.exit).toBe(0);
    expect(all.json()).toMatchObject({ status: 'completed', agents: [{ message: 'Slow.' }, {}] });
    const bad = at.draft('dev', ['fail 3']);
    expect(at.guard('agent', 'await', slow, bad, '--json').json()).toMatchObject({ status: 'failed' });
  });
});

describe('await_agent', () => {
  it('answers that the agent runs before its client loses patience, and its end when it is called again', async () => {
    const at = harness({ mcp: { streamTimeout: 2_000 } });
    const gate = join(at.at.home, 'go-on');
    const id = at.draft('dev', [
      'call Read {"file_path":"a.txt"}',
      `sh while [ ! -e '${gate}' ]; do sleep 0.2; done`,
      'result Done.',
    ]);
    await until(() => at.list()[0]?.turns === 1, 15_000);
    const mcp = await serve(at.at, at.env, ['--tools', 'harness']);
    const answers: { status: string }[] = [];
    do {
      const result = await mcp.client.callTool({ name: 'await_agent', arguments: { agentId: id } });
      const [content] = result.content as { text: string }[];
      answers.push(JSON.parse(content?.text ?? '') as { status: string });
      if (answers.length === 2) writeFileSync(gate, '');
    } while (answers.at(-1)?.status === 'running');
    expect(answers[1]).toMatchObject({ status: 'running', agentId: id, turns: 1 });
    expect(answers.at(-1)).toMatchObject({ status: 'completed', message: 'Done.' });
  });

  it('knows how long clients wait', () => {
    expect(patienceOf('claude-code', {})).toBe(Infinity);
    expect(patienceOf('claude-code', { MCP_TOOL_TIMEOUT: '30000' })).toBe(30_000);
    expect(patienceOf('another', { MCP_TOOL_TIMEOUT: '900000' })).toBe(60_000);
  });

  it('leaves a fifth of that for the answer itself, ten seconds at most', () => {
    expect(answerWithin(undefined, 600_000)).toBe(Infinity);
    expect(answerWithin(Infinity, 600_000)).toBe(590_000);
    expect(answerWithin(60_000, 600_000)).toBe(50_000);
    expect(answerWithin(Infinity, 3_000)).toBe(2_400);
  });

  it('does not touch how long the agents’ clients wait for other servers', () => {
    const at = harness();
    const id = at.draft('dev', ['result x']);
    at.await(id);
    expect(at.started(id).env).not.toHaveProperty('MCP_TOOL_TIMEOUT');
  });
});

describe('the end of an agent', () => {
  it('is told to the agent that drafted it, at its next step', () => {
    const at = harness();
    const lead = at.draft('lead', ['hang']);
    const told = at.as(lead, 'agent', 'draft', '--role', 'dev', '--json', `result ${BLOCK}`);
    const { agentId } = told.json() as { agentId: string };
    at.await(agentId);
    const event = {
      hook_event_name: 'PostToolUse',
      session_id: lead.slice('claude-'.length),
      cwd: at.at.root,
      tool_name: 'Read',
      tool_input: { file_path: join(at.at.root, 'README.md') },
      tool_response: {},
      tool_use_id: 'toolu_1',
    };
    const hook = JSON.stringify(at.at.hook(event));
    expect(hook).toContain(agentId);
    expect(hook).toContain('did it');
  });

  it('calls the program that the user named, and tells it how it ended', async () => {
    const at = harness();
    const file = join(at.at.home, 'ended');
    user(at, {
      on_end: [
        'sh',
        '-c',
        'env | grep ^GUARD_ENDED_ > "$HOME/ended.new"; mv "$HOME/ended.new" "$HOME/ended"',
      ],
    });
    const id = at.draft('dev', [REFUSED, `result ${BLOCK}`]);
    at.await(id);
    await until(() => existsSync(file), 10_000);
    const said = readFileSync(file, 'utf8');
    for (const words of [`AGENT=${id}`, 'ROLE=dev', 'STATUS=completed', 'SUMMARY=did it', 'Bash(npm ci:*)'])
      expect(said).toContain(words);
  });

  it('calls nothing that a repository names', () => {
    const at = harness({ on_end: ['sh', '-c', 'touch "$HOME/ended"'] });
    const told = at.guard('agent', 'draft', '--role', 'dev', '--json', 'result x');
    expect(told.json()).toMatchObject({ error: { code: 'GUARD_ERR_CONFIG' } });
    expect(existsSync(join(at.at.home, 'ended'))).toBe(false);
  });
});

describe('an agent that has reported', () => {
  it('and whose client only waits for a command in the background has completed', () => {
    const at = harness({}, { patient: { category: 'worker', prompt: 'x', limits: { stall: '1s' } } });
    const id = at.draft('patient', [
      `js said([{type:"text",text:${REPORT}}]); ended(${REPORT}); emit({type:"system",subtype:"background_tasks_changed",tasks:[{task_type:"local_bash"}]})`,
      'hang',
    ]);
    expect(at.await(id)).toMatchObject({
      status: 'completed',
      reason: 'done',
      result: { summary: 'did it' },
    });
  });
});
