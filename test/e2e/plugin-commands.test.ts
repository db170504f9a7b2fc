/** The plugin's commands and skills, as the client itself reads and runs them. */
import { execFileSync } from 'node:child_process';

import { expect, inject } from 'vitest';

import { failedHooks, guarded, logOf, userSettings } from './client/guarded.ts';
import type { Scratch } from './client/scratch.ts';
import { say, type Seen, use } from './client/scenario.ts';
import { clientHas, situation, situationWith, type Stage } from './client/stage.ts';

const plugin = ['--plugin-dir', inject('guard')];

/** The user allows nothing: what runs is allowed by the command's front matter. */
function repository(stage: Stage): Scratch {
  const scratch = guarded(stage, { 'a.txt': 'one\n' }, { scope: 'local' });
  userSettings(scratch, { permissions: { allow: [] } });
  return scratch;
}

const told = ({ texts }: Seen): string => texts.join('\n');
const namesIn = (scratch: Scratch): string[] =>
  (JSON.parse(scratch.guard('agents', '--json').stdout) as { agents: { agent_id: string }[] }).agents.map(
    ({ agent_id }) => agent_id,
  );

situationWith('session_in_commands')(
  '/guard:status gives the model who holds what, and its inbox',
  async ({ stage }) => {
    const scratch = repository(stage);
    scratch.guard('lock', 'try', 'a.txt', '--agent', 'somebody');
    const { run, api } = await stage.play(
      scratch,
      { main: [say('Done.')] },
      { prompt: '/guard:status [[main]]', args: plugin },
    );
    const text = told(api.at('main', 0));
    expect(text).toMatch(/a\.txt {2}\S+ {2}/);
    expect(text).toContain('somebody');
    expect(text).toContain(`claude-${run.session}`);
    expect(text).toContain('No messages.');
    expect(failedHooks(run)).toEqual([]);
  },
);

situationWith('session_in_commands')(
  '/guard:join names the session, /guard:leave gives back and takes it off the list',
  async ({ stage }) => {
    const scratch = repository(stage);
    const name = `node "${inject('guard')}/bin/guard.cjs" join --name router`;
    const joined = await stage.play(
      scratch,
      { main: [use('Bash', { command: name, description: 'Say the name' }), say('Done.')] },
      { prompt: '/guard:join router [[main]]', args: plugin },
    );
    expect(told(joined.api.at('main', 0))).toContain(`(claude-${joined.run.session}) in `);
    expect(joined.api.results('main')[0]?.text).toContain('You are router');
    const { run, api } = await stage.play(
      scratch,
      { main: [say('Done.')] },
      { prompt: '/guard:leave [[main]]', args: plugin },
    );
    expect(told(api.at('main', 0))).toContain(`claude-${run.session} left`);
    const records = logOf(scratch, '--agent', `claude-${run.session}`);
    const left = records.findIndex(({ reason }) => reason === 'left');
    // Hooks of both the settings and the plugin run: the turn ends twice, and neither end is a sign of life.
    expect(records.slice(left + 1).map(({ type, phase }) => phase ?? type)).toEqual([
      ...(clientHas('prompt_before_lines') ? [] : ['start', 'continue']),
      'end',
      'end',
      'agent.leave',
    ]);
    expect(namesIn(scratch)).toEqual([]);
  },
);

situation('/guard:setup in a repository that nobody guards says what is missing', async ({ stage }) => {
  const scratch = stage.scratch({ 'a.txt': 'one\n' });
  const { run, api } = await stage.play(
    scratch,
    { main: [say('Done.')] },
    { prompt: '/guard:setup auto [[main]]', args: plugin },
  );
  const text = told(api.at('main', 0));
  expect(text).toContain('The user wants: auto');
  expect(text).toContain('guard init');
  expect(run.result).toBe('Done.');
});

situation('the skills are there, with the command that works', async ({ stage }) => {
  const scratch = repository(stage);
  const skills = ['conflict-recovery', 'coordination-protocol'];
  const { run, api } = await stage.play(
    scratch,
    { main: [...skills.map((skill) => use('Skill', { skill: `guard:${skill}` })), say('Done.')] },
    { prompt: '[[main]] Learn.', args: plugin },
  );
  const init = run.events.find(({ subtype }) => subtype === 'init');
  const known = [init?.['skills'], init?.['slash_commands']].flat();
  expect(known).toEqual(
    expect.arrayContaining(['join', 'leave', 'setup', 'status', ...skills].map((name) => `guard:${name}`)),
  );
  for (const step of [1, 2]) {
    expect(told(api.at('main', step))).toContain(`node "${inject('guard')}/bin/guard.cjs"`);
    expect(told(api.at('main', step))).not.toContain('CLAUDE_PLUGIN_ROOT');
  }
});

situation('the client finds nothing wrong with the plugin', ({ stage }) => {
  const { env, repo } = stage.scratch();
  const [command = '', ...args] = [
    ...inject('isolation').prefix,
    inject('client').binary ?? '',
    ...['plugin', 'validate', inject('guard')],
  ];
  const told = execFileSync(command, args, { env, cwd: repo, encoding: 'utf8', timeout: 60_000 });
  expect(told).toContain('Validation passed');
});
