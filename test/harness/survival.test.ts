/** What happens to agents whose machine, process or drafter is not the one in the ledger. */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GuardError } from '../../src/core/error.ts';
import type { DraftEvent } from '../../src/core/rules/drafting.ts';
import type { ProcessMark } from '../../src/core/types.ts';
import { draftAgent } from '../../src/harness/draft.ts';
import { type HarnessWorkspace, openHarness, whoOf } from '../../src/harness/workspace.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { isCertainlyAlive, isDead, markProcess } from '../../src/repo/process.ts';
import { harness, type Harness, until } from './harness.ts';
import { endLeft, ID, leftRunning, markOf } from './left.ts';

const holder = (at: Harness): unknown =>
  (at.guard('lock', 'status', 'a.txt', '--json').json() as { results: { holder: unknown }[] }).results[0]
    ?.holder;

const LOOKS = {
  await: (at: Harness) => at.await(ID),
  list: (at: Harness) => at.list(),
  draft: (at: Harness) => at.await(at.draft('short', ['result x'])),
  kill: (at: Harness) => at.guard('agent', 'kill', ID, '--json'),
};

describe('an agent of before a reboot', () => {
  it.each(Object.keys(LOOKS) as (keyof typeof LOOKS)[])(
    'is ended by the next %s, its lock is free, and who has its pids now lives on',
    (look) => {
      const at = harness();
      const [one, two] = [at.at.sleeper(), at.at.sleeper()];
      const earlier = (pid: number): ProcessMark => ({ ...markOf(pid), boot: 'an earlier one' });
      leftRunning(at, earlier(one.pid), earlier(two.pid));
      expect(holder(at)).toBe(ID);
      LOOKS[look](at);
      expect(at.await(ID)).toMatchObject({
        status: 'failed',
        reason: 'the machine was restarted while it was at work',
      });
      expect(at.at.log('exit').filter(({ agent }) => agent === ID)).toHaveLength(1);
      expect(holder(at)).toBeNull();
      expect([one, two].map(({ pid }) => isCertainlyAlive(markOf(pid)))).toEqual([true, true]);
    },
  );
});

describe('an agent whose pids were given out again', () => {
  it('is ended, and the others live on', () => {
    const at = harness();
    const [one, two] = [at.at.sleeper(), at.at.sleeper()];
    const reused = (pid: number): ProcessMark => ({ ...markOf(pid), start: '1' });
    leftRunning(at, reused(one.pid), reused(two.pid));
    expect(at.await(ID)).toMatchObject({ status: 'failed', reason: 'its supervisor died' });
    expect(holder(at)).toBeNull();
    expect([one, two].some(({ pid }) => isDead(markOf(pid)))).toBe(false);
  });

  it('of another container: nothing certain is known, so nobody is sent a signal', async () => {
    const at = harness();
    const other = at.at.sleeper();
    const mark = { ...markOf(other.pid), pid_ns: 'another' };
    leftRunning(at, mark, mark);
    const killing = at.at.startGuard(at.env, 'agent', 'kill', ID, '--json');
    await until(() => at.at.log('draft').some(({ phase }) => phase === 'kill'), 15_000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isCertainlyAlive(markOf(other.pid))).toBe(true);
    expect(other.signalCode).toBeNull();
    killing.signal('SIGKILL');
    await killing.done;
    const space = openHarness(locateRepo(at.at.root), at.at.env);
    endLeft(space);
    space.close();
  });
});

/** A drafter whose ledger calls `after` following each event about an agent. */
function drafting(
  at: Harness,
  after: (event: DraftEvent) => void,
  more: { readonly drafter?: ProcessMark | null } = {},
) {
  const space = openHarness(locateRepo(at.at.root), { ...at.at.env, ...at.env });
  const run = (event: DraftEvent): unknown => {
    const told = event.phase === 'supervise' ? undefined : space.run({ ...event, ...more });
    after(event);
    return told;
  };
  const wish = { role: 'dev', prompt: 'result x' };
  return {
    space,
    draft: () => draftAgent({ ...space, run: run as HarnessWorkspace['run'] }, whoOf('me', ''), wish),
  };
}

describe('an agent that cannot be started', () => {
  it('because nothing can be written for it: the draft fails, and there is no agent', () => {
    const at = harness();
    writeFileSync(join(at.at.state, 'agents'), 'in the way');
    const told = at.guard('agent', 'draft', '--role', 'dev', '--json', 'result x');
    expect(told.exit).toBe(2);
    expect(told.json()).toMatchObject({ error: { code: 'GUARD_ERR_INPUT' } });
    rmSync(join(at.at.state, 'agents'));
    expect(at.list('--all')).toEqual([]);
    expect(at.guard('task', 'list', '--json').json()).toEqual({ tasks: [] });
  });

  it('but it can where the ledger is busy when its drafter says who looks after it', () => {
    const at = harness();
    const { space, draft } = drafting(at, ({ phase }) => {
      if (phase === 'supervise') throw new GuardError('GUARD_ERR_BUSY', 'x', 'x');
    });
    const { agentId } = draft();
    expect(at.await(agentId)).toMatchObject({ status: 'completed' });
    space.close();
  });

  it('but it can where its drafter dies before its supervisor begins: whoever looks next starts it', async () => {
    const at = harness();
    const dying = spawn('sleep', ['60']);
    const drafter = markProcess(dying.pid ?? 0);
    const { space, draft } = drafting(
      at,
      (event) => {
        if (event.phase === 'begin') throw new Error('killed');
      },
      { drafter },
    );
    expect(draft).toThrow('killed');
    dying.kill('SIGKILL');
    await until(() => dying.signalCode !== null, 5_000);
    await until(() => {
      at.list();
      return at.list('--all')[0]?.status === 'completed';
    }, 30_000);
    expect(at.at.log('exit')).toHaveLength(1);
    space.close();
  });

  it('because its supervisor dies at once', async () => {
    const at = harness();
    const id = at.draft('dev', ['hang']);
    process.kill(at.supervisor(id), 'SIGKILL');
    await until(() => at.list().length === 0, 15_000);
    expect(at.await(id)).toMatchObject({ status: 'failed' });
    expect(at.processes(id)).toEqual([]);
  });
});

describe('a command below a drafted agent is that agent’s', () => {
  const guard = `"${process.execPath}" "${process.cwd()}/bin/guard.cjs"`;
  const bare = 'env -i PATH="$PATH" HOME="$HOME" FAKE_RECORD="$FAKE_RECORD"';
  const lastWords = (at: Harness, role: string, command: string): string =>
    at.await(at.draft(role, [`sh ${command}`, 'sleep 200'])).message;

  it.each([
    ['without its environment', bare],
    ['under another name', `${bare} GUARD_AGENT_ID=me`],
    ['in another session', 'CLAUDE_CODE_SESSION_ID=other'],
    ['with another’s mark', `${bare} GUARD_DRAFTED=claude-other`],
  ])('%s: a role that may only look drafts nobody', (_, how) => {
    const at = harness();
    const told = lastWords(at, 'dev', `${how} ${guard} agent draft --role lead --json x`);
    expect(told).toContain('Agents of your role may not draft');
    expect(at.list('--all')).toHaveLength(1);
  });

  it('by its mark, where its parent is gone: a role that may only look drafts nobody', () => {
    const at = harness();
    const orphan = `setsid env -u CLAUDECODE -u CLAUDE_CODE_SESSION_ID ${guard} agent draft --role lead --json x`;
    const told = lastWords(at, 'dev', `(${orphan} > "$HOME/told" 2>&1 &); sleep 1; cat "$HOME/told"`);
    expect(told).toContain('Agents of your role may not draft');
  });

  it('at a server of its own, with an empty environment: a role that may only look drafts nobody', () => {
    const at = harness();
    const rpc = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
    const clientInfo = { name: 'x', version: '1' };
    const lines = [
      rpc({
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
      }),
      rpc({ method: 'notifications/initialized' }),
      rpc({
        id: 2,
        method: 'tools/call',
        params: { name: 'draft_agent', arguments: { role: 'lead', prompt: 'x' } },
      }),
    ];
    at.at.put('calls.jsonl', `${lines.join('\n')}\n`);
    const told = lastWords(at, 'dev', `(cat calls.jsonl; sleep 1.5) | ${bare} ${guard} mcp --tools harness`);
    expect(told).toContain('There is no tool draft_agent here');
    expect(at.list('--all')).toHaveLength(1);
  });

  it('with a configuration of its own: no deeper than its drafter’s', () => {
    const at = harness();
    mkdirSync(join(at.at.home, '.config/guard'), { recursive: true });
    writeFileSync(join(at.at.home, '.config/guard/config.json'), '{"agents":{"depth":1}}');
    const config = '{"allow_weaker":true,"agents":{"depth":9}}';
    const own = 'mkdir -p "$HOME/own/guard"';
    const put = `${own} && echo '${config}' > "$HOME/own/guard/config.json"`;
    const draft = `XDG_CONFIG_HOME="$HOME/own" ${guard} agent draft --role lead --json x`;
    expect(lastWords(at, 'lead', `${put} && ${draft}`)).toContain('at most 1 deep');
  });

  it('with a role that it wrote itself, or changed: nobody is drafted, and a person may', () => {
    const at = harness();
    const role = (name: string): string =>
      JSON.stringify({ name, category: 'worker', prompt: 'x', tools: ['Bash'] });
    at.at.put('new', role('new'));
    at.at.put('dev', role('dev'));
    for (const name of ['new', 'dev']) {
      const draft = `${guard} agent draft --role ${name} --json x`;
      const told = lastWords(at, 'lead', `mv ${name} .agents/roles/${name}.json; ${draft}`);
      expect(told).toContain(`The role ${name} was changed after`);
    }
    expect(at.list('--all')).toHaveLength(2);
    expect(at.await(at.draft('new', ['result x']))).toMatchObject({ status: 'completed' });
  });

  it('and what it drafts is below it, whatever name it gives', () => {
    const at = harness();
    const id = at.draft('lead', [`sh ${bare} ${guard} agent draft --role dev --agent me --wait "result x"`]);
    at.await(id);
    expect(at.list('--all')).toMatchObject([
      { id, depth: 1 },
      { role: 'dev', depth: 2, drafted_by: id },
    ]);
  });
});
