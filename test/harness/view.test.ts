/** What a person sees of drafted agents: the list on one screen, and readable logs. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TreeRow } from '../../src/harness/list.ts';
import { GUARD } from '../claude/driver.ts';
import { committed } from './committed.ts';
import { harness, type Harness, until } from './harness.ts';

const ASKS =
  'Done.\\n```json\\n{"summary":"s","changes":[],"issues":[],"questions":["Which licence?"]}\\n```';

const widest = (text: string): number => Math.max(...text.split('\n').map((line) => Array.from(line).length));

describe('guard agent list', () => {
  it('is 80 columns wide, whatever agents, tasks and files are called', async () => {
    const at = harness();
    const long = 'a-name-that-is-longer-than-any-column-could-ever-be';
    const id = at.draft('circling', [`open Edit {"file_path":"/x/${long}/${long}"}`, 'hang'], '--task', long);
    at.draft('dev', ['hang'], '--name', long);
    at.draft('lead', ['call Bash {"command":"npm test"}', 'hang']);
    await until(() => at.list().every(({ status }) => status === 'running'), 20_000);
    await until(() => at.list().filter(({ doing }) => doing !== null).length === 2, 20_000);
    const text = at.at.guardWith({ ...at.env, LINES: '24' }, 'agent', 'list').stdout;
    expect(widest(text)).toBeLessThanOrEqual(80);
    expect(text).toMatch(/STATE +NAME +ROLE +TASK +AGE +QUIET +TURNS +COST/);
    expect(text).toContain('Bash npm test');
    expect(text).toContain('3 running; ');
    expect(at.list().find((row) => row.id === id)).toMatchObject({
      doing: expect.stringContaining('Edit /x/') as string,
      lastEventAt: expect.any(String) as string,
      endedAt: null,
    });
  });

  it('has who needs somebody first, with what it asks, and sums', () => {
    const at = harness();
    at.await(at.draft('dev', ['result Fine.']));
    const asking = at.draft('dev', [`result ${ASKS}`]);
    at.await(asking);
    const told = at.guard('agent', 'list', '--since', '1h', '--json').json() as {
      agents: TreeRow[];
      sums: object;
    };
    expect(told.agents.map(({ id }) => id)[0]).toBe(asking);
    expect(told.agents[0]).toMatchObject({ needs: { questions: ['Which licence?'] } });
    expect(told.sums).toMatchObject({ needing: 1, turns: 2 });
    const text = at.guard('agent', 'list', '--since', '1h').stdout;
    expect(text).toMatch(/^! completed/m);
    expect(text).toContain('asks: Which licence?');
    expect(text).toContain('1 needs you');
    for (const rows of [at.list(), at.list('--since', '0s')])
      expect(rows.map(({ id }) => id)).toEqual([asking]);
  });

  it('fits a screen with ten agents of which everything is to be said, and says all of it where there is room', () => {
    const at = harness({ agents: { running: 4 } });
    const asks = JSON.stringify({
      summary: 's',
      changes: [],
      issues: [],
      questions: ['One?', 'Two?', 'Three?'],
    });
    const report = JSON.stringify(`Done.\n\`\`\`json\n${asks}\n\`\`\``);
    const refused = `js said([{type:"tool_use",id:"t1",name:"Bash",input:{command:"npm ci"}}]); emit({type:"system",subtype:"permission_denied",tool_name:"Bash",tool_use_id:"t1"})`;
    const ids = Array.from({ length: 10 }, () => at.draft('dev', [refused, `js ended(${report})`]));
    expect(at.guard('agent', 'await', ...ids).exit).toBe(3);
    const shown = (env: object): readonly string[] =>
      at.at
        .guardWith({ ...at.env, ...env }, 'agent', 'list', '--since', '12h')
        .stdout.trimEnd()
        .split('\n');
    const screen = shown({ LINES: '24' });
    expect(screen).toHaveLength(22);
    expect(widest(screen.join('\n'))).toBeLessThanOrEqual(80);
    expect(screen.filter((line) => line.startsWith('    asks: One?; asks: Two?'))).toHaveLength(10);
    expect(screen.at(-1)).toMatch(/^10 completed; 10 need you; /);
    expect(shown({ LINES: '60' })).toHaveLength(52);
  });

  it('has ids so short that each means one agent, and names, which every command takes', () => {
    const at = harness();
    const ids = [1, 2, 3].map(() => at.draft('dev', ['hang']));
    const rows = at.list();
    expect(new Set(rows.map(({ short }) => short)).size).toBe(3);
    for (const { id, short } of rows)
      expect(ids.filter((one) => one.startsWith(`claude-${short}`))).toEqual([id]);
    const named = at.draft('dev', ['result Done.', 'hang'], '--name', 'router');
    expect(at.await('router')).toMatchObject({ agentId: named, status: 'completed' });
    const again = at.draft('dev', ['hang'], '--name', 'router');
    const taken = at.guard('agent', 'draft', '--role', 'dev', '--name', 'router', '--json', 'x');
    expect(taken.json()).toMatchObject({ error: { facts: { field: 'name', agent: again } } });
    expect(at.guard('agent', 'kill', 'router').exit).toBe(0);
    expect(at.guard('agent', 'kill', rows[0]?.short ?? '').exit).toBe(0);
    expect(at.guard('agent', 'await', 'clau', '--json').json()).toMatchObject({
      error: { code: 'GUARD_ERR_AGENT', facts: { field: 'agentId' } },
    });
    expect(at.guard('agent', 'await', 'nobody').exit).toBe(1);
  });
});

describe('guard agent logs', () => {
  it('has what was said, called and answered, and no JSON', () => {
    const at = harness();
    const id = at.draft('dev', ['say Looking.', 'call Read {"file_path":"a.txt"}', 'result All good.']);
    at.await(id);
    const { stdout } = at.guard('agent', 'logs', id);
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining(['# begins', 'Looking.', '> Read a.txt', '  ok', 'All good.']),
    );
    expect(stdout).toMatch(/^= success; 3 turns, 0\.03 USD$/m);
    // Apart from its prompt.
    expect(stdout.replace('call Read {"file_path":"a.txt"}', '')).not.toContain('{');
    expect(at.guard('agent', 'logs', 'nobody').exit).toBe(1);
  });

  it('goes on until the agent is over', async () => {
    const at = harness();
    const id = at.draft('dev', ['say First.', 'sleep 1500', 'result Last.']);
    const { stdout } = await at.at.startGuard(at.env, 'agent', 'logs', id, '--follow').done;
    expect(stdout).toContain('First.');
    expect(stdout).toContain('Last.');
  });
});

/** Everything shown to a person at a terminal, and the exit code. @param path where programs are looked up first */
function inTerminal(at: Harness, path: string, words: string): string {
  const line = `'${process.execPath}' '${GUARD}' ${words} < /dev/tty; echo "exit $?"`;
  const program =
    process.platform === 'darwin' ? ['/dev/null', 'sh', '-c', line] : ['-e', '-c', line, '/dev/null'];
  const env = { ...at.at.env, ...at.env };
  const { stdout } = spawnSync('script', ['-q', ...program], {
    ...{ cwd: at.at.root, encoding: 'utf8', input: '', timeout: 40_000 },
    env: { ...env, PATH: [path, env.PATH].filter((dir) => dir !== '').join(delimiter) },
  } as const);
  return stdout.replaceAll('\r', '');
}

describe('guard agent attach', () => {
  it('needs a person at a terminal', () => {
    const at = harness();
    const id = at.draft('dev', ['result Done.']);
    at.await(id);
    expect(at.guard('agent', 'attach', id).exit).toBe(64);
  });

  it('takes the session up where it worked, as that person’s own client', () => {
    const at = committed();
    const id = at.draft('dev', ['sh echo n > n', 'result Done.'], '--worktree');
    const { worktree } = at.await(id);
    const own = join(at.at.home, 'own');
    mkdirSync(own);
    writeFileSync(
      join(own, 'claude'),
      '#!/bin/sh\necho "$* in $PWD, drafted: ${GUARD_DRAFTED-nobody}"\nexit 3\n',
    );
    chmodSync(join(own, 'claude'), 0o755);
    const shown = inTerminal(at, own, `agent attach ${id}`);
    const session = id.slice('claude-'.length);
    expect(shown).toContain(`--resume ${session} in ${worktree?.dir ?? '?'}, drafted: nobody`);
    expect(shown).toContain('exit 1');
  });

  it('is refused while the agent is at work, and where its directory is gone', () => {
    const at = committed();
    const running = at.draft('dev', ['hang']);
    expect(inTerminal(at, '', `agent attach ${running}`)).toContain('is at work');
    const over = at.draft('dev', ['sh echo n > n', 'result Done.'], '--worktree');
    const { worktree } = at.await(over);
    at.at.git('worktree', 'remove', '--force', worktree?.dir ?? '');
    expect(inTerminal(at, '', `agent attach ${over}`)).toContain('is gone');
  });
});

describe('tasks', () => {
  it('enter nobody’s commit, unless somebody says otherwise', () => {
    const at = harness();
    at.await(at.draft('dev', ['result x']));
    at.at.git('add', '-A');
    expect(at.at.git('ls-files', '.agents/tasks')).toBe('');
    at.at.put('.agents/tasks/.gitignore', '');
    at.await(at.draft('dev', ['result x']));
    at.at.git('add', '-A');
    expect(at.at.git('ls-files', '.agents/tasks')).toContain('context.md');
  });
});
