/** The variables that the client gives to hooks, commands and servers: the table of docs/identity.md. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

import { userSettings } from '../client/guarded.ts';
import { recorded, type Recorded, recordHooks } from '../client/record.ts';
import { type Answer, bash, say, use } from '../client/scenario.ts';
import { situation } from '../client/stage.ts';

type Env = Readonly<Record<string, string>>;

situation(
  'hooks, commands and servers are told the session; only commands lack the project; each client its own',
  async ({ stage }) => {
    const scratch = stage.scratch({ 'a.txt': 'x\n' });
    const out = join(scratch.root, 'seen');
    mkdirSync(out);
    recordHooks(scratch, [], { permissions: { allow: ['Bash', 'Agent', 'Task'] } });
    const server = { command: 'sh', args: ['-c', `env > ${out}/server-$$; exec sleep 1`] };
    scratch.write('.mcp.json', JSON.stringify({ mcpServers: { seen: server } }));
    userSettings(scratch, { enabledMcpjsonServers: ['seen'] });
    const dump = (name: string): Answer => bash(`env > ${out}/${name}`);
    const scenario = {
      first: [
        dump('startup'),
        use('Agent', {
          description: 'It',
          prompt: '[[sub]] Go.',
          subagent_type: 'general-purpose',
          run_in_background: false,
        }),
        bash(`claude -p '[[inner]] Go.' --permission-mode default < /dev/null`),
        say('Done.'),
      ],
      sub: [dump('subagent'), say('Done.')],
      inner: [dump('nested'), say('Done.')],
      resumed: [dump('resumed'), say('Done.')],
      forked: [dump('forked'), say('Done.')],
      sdk: [dump('sdk'), say('Done.')],
      compacted: [dump('compacted'), say('Done.')],
      cleared: [dump('cleared'), say('Done.')],
    };
    const mode = 'default' as const;
    const { run } = await stage.play(scratch, scenario, { prompt: '[[first]] Go.', mode });
    const resume = run.session;
    await stage.play(scratch, scenario, { prompt: '[[resumed]] Go.', resume, mode });
    await stage.play(scratch, scenario, { prompt: '[[forked]] Go.', resume, mode, args: ['--fork-session'] });
    const turns = ['[[sdk]] Go.', '/compact', '[[compacted]] Go.', '/clear', '[[cleared]] Go.'];
    await stage.play(scratch, scenario, { prompt: turns, mode });

    const hooks = recorded(scratch);
    expect(hooks.filter((hook) => !isWhole(hook)).map(({ event, env }) => [event, env])).toEqual([]);
    const sources = hooks.flatMap(({ event }) => event['source'] ?? []);
    expect(sources).toEqual(expect.arrayContaining(['startup', 'resume', 'compact', 'clear']));
    const ids = new Set(hooks.map(({ event }) => event.session_id));
    // The first one, the nested one, the fork, the conversation, and the one that /clear started.
    expect(ids.size).toBe(5);

    const seen = Object.fromEntries(readdirSync(out).map((name) => [name, envIn(join(out, name))]));
    const commands = Object.keys(scenario).length;
    const shells = Object.entries(seen).filter(([name]) => !name.startsWith('server'));
    expect(shells).toHaveLength(commands);
    for (const [name, env] of shells) {
      expect([name, env['CLAUDECODE'], env['CLAUDE_PROJECT_DIR']]).toEqual([name, '1', undefined]);
      expect(ids).toContain(env['CLAUDE_CODE_SESSION_ID']);
      const pids = hooks.filter(({ event }) => event.session_id === env['CLAUDE_CODE_SESSION_ID']);
      expect(pids.map((hook) => hook.env['CLAUDE_PID'])).toContain(env['CLAUDE_PID']);
    }
    const sessionIn = (name: string): string => seen[name]?.['CLAUDE_CODE_SESSION_ID'] ?? '';
    expect([sessionIn('subagent'), sessionIn('resumed')]).toEqual([resume, resume]);
    expect(new Set(['nested', 'forked', 'cleared', 'startup', 'sdk'].map(sessionIn)).size).toBe(5);
    expect(sessionIn('compacted')).toBe(sessionIn('sdk'));
    // A server keeps the session that it was started for, even after /clear, and is not told its client's pid.
    const servers = Object.entries(seen).filter(([name]) => name.startsWith('server'));
    for (const [, env] of servers)
      expect(env).toMatchObject({ CLAUDECODE: '1', CLAUDE_PROJECT_DIR: scratch.repo });
    expect(servers.map(([, env]) => env['CLAUDE_CODE_SESSION_ID'])).not.toContain(sessionIn('cleared'));
  },
);

/** The event and its environment belong to one session, and the project is known. */
const isWhole = ({ event, env }: Recorded): boolean =>
  env['CLAUDE_CODE_SESSION_ID'] === event.session_id &&
  env['CLAUDECODE'] === '1' &&
  (env['CLAUDE_PROJECT_DIR'] ?? '') !== '';

const envIn = (file: string): Env =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => [line.split('=', 1)[0] ?? '', line.slice(line.indexOf('=') + 1)]),
  );
