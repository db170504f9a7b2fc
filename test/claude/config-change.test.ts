/** ConfigChange: a change of the client's settings that removes guard's hooks has no effect in the running session. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { merged } from '../settings/ordinary.ts';
import { type Answer, oneAgent, type Scratch, type Session } from './driver.ts';

const SETTINGS = '.claude/settings.json';
const LOCAL = '.claude/settings.local.json';

const changed = (agent: Session, file: string): Answer =>
  agent.fire('ConfigChange', { source: 'project_settings', file_path: agent.scratch.path(file) });

function expectVeto(answer: Answer): void {
  expect(answer.exit).toBe(2);
  expect(JSON.parse(answer.stdout)).toMatchObject({ decision: 'block' });
  expect(answer.stderr).toMatch(/^guard: [^\n]+\n$/);
}

const adds = (change: object) => (at: Scratch) =>
  at.put(SETTINGS, JSON.stringify(merged(JSON.parse(at.read(SETTINGS)) as object, change)));

describe('a change is vetoed', () => {
  it.each<[string, (at: Scratch) => void]>([
    ['that disables all hooks', (at) => at.put(LOCAL, '{"disableAllHooks":true}')],
    ["that removes guard's hooks", (at) => at.put(SETTINGS, '{"permissions":{}}')],
    ['that leaves no file', (at) => fs.rmSync(at.path(SETTINGS))],
    ['that renames the directory away', (at) => fs.renameSync(at.path('.claude'), at.path('.claude-off'))],
    ['that is no JSON', (at) => at.put(SETTINGS, '{"hooks":')],
    ['that stops guarding Write', (at) => at.put(SETTINGS, at.read(SETTINGS).replace('|Write|', '|'))],
    ['that makes the rules a number', adds({ permissions: { allow: 5 } })],
    ['that makes `env` a number', adds({ env: 5 })],
    ['that names a mode that does not exist', adds({ permissions: { defaultMode: 'nope' } })],
    ['that sets a prefix for hooks', adds({ env: { CLAUDE_CODE_SHELL_PREFIX: '/bin/true' } })],
    ['that loads code into hooks', adds({ env: { NODE_OPTIONS: '--require=/tmp/x' } })],
    ['that sets PATH', adds({ env: { PATH: '/tmp/evil' } })],
    ['that pretends to be a plugin', (at) => at.put(SETTINGS, '{"env":{"CLAUDE_PLUGIN_ROOT":"/x"}}')],
    [
      'that has a hook entry of another type beside those of guard',
      adds({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'true', if: 5 }] }] } }),
    ],
    [
      'that makes the file endless',
      (at) => {
        fs.rmSync(at.path(SETTINGS));
        fs.symlinkSync('/dev/zero', at.path(SETTINGS));
      },
    ],
  ])('%s', (_, change) => {
    const { at, agent } = oneAgent({ fresh: true });
    change(at);
    expectVeto(changed(agent, SETTINGS));
  });

  it('although it is of another file: what was vetoed would take effect with the next change let through', () => {
    const { at, agent } = oneAgent({ fresh: true });
    at.put(LOCAL, '{"disableAllHooks":true}');
    expectVeto(changed(agent, LOCAL));
    at.put(`${at.home}/.claude/settings.json`, '{"model":"x"}');
    expectVeto(changed(agent, `${at.home}/.claude/settings.json`));
    at.put(LOCAL, '{}');
    expect(changed(agent, LOCAL)).toMatchObject({ exit: 0, stdout: '' });
  });
});

describe('a change passes', () => {
  it.each<[string, string, string]>([
    ['of another file, which the client then drops', LOCAL, '{"env":5}'],
    ['of another file that is no JSON', LOCAL, '{"env":'],
    ["of what only an administrator's file decides", LOCAL, '{"allowManagedHooksOnly":true}'],
    ['of a variable that leaves hooks alone', LOCAL, '{"env":{"BASH_ENV":"/tmp/x","NODE_ENV":"test"}}'],
    ['of a hook entry that the client leaves out', LOCAL, '{"hooks":{"Stop":[{"hooks":[{"type":"x"}]}]}}'],
    ['of a skill', '.claude/skills/x/SKILL.md', '# no JSON at all'],
  ])('%s', (_, file, text) => {
    const { at, agent } = oneAgent({ fresh: true });
    at.put(file, text);
    expect(changed(agent, file)).toMatchObject({ exit: 0, stdout: '', stderr: '' });
  });

  it('and a key that guard does not know is told', () => {
    const { at, agent } = oneAgent({ fresh: true });
    at.put(LOCAL, '{"permissions":{"newRule":1},"newKey":2,"_note":3}');
    const answer = changed(agent, LOCAL);
    expect(answer).toMatchObject({ exit: 0, stderr: '' });
    expect((JSON.parse(answer.stdout) as { systemMessage: string }).systemMessage).toMatch(/newKey.*newRule/);
  });

  it('where PATH is as the session has had it from its start', () => {
    const { at, agent } = oneAgent({ fresh: true });
    const PATH = process.env['PATH'] ?? '';
    adds({ env: { PATH } })(at);
    const event = agent.payload('ConfigChange', { source: 'project_settings', file_path: at.path(SETTINGS) });
    expect(at.hook(event, { ...agent.env, PATH })).toMatchObject({ exit: 0, stdout: '' });
  });

  it('that leaves guard hooked', () => {
    const { at, agent } = oneAgent({ fresh: true });
    at.put(LOCAL, '{"permissions":{"allow":["Read"]}}');
    expect(changed(agent, LOCAL)).toMatchObject({ exit: 0, stdout: '', stderr: '' });
  });

  it("that takes the hooks out of the project's file where a plugin has them", () => {
    const { at, agent } = oneAgent({ fresh: true });
    at.put(SETTINGS, '{}');
    const event = agent.payload('ConfigChange', { source: 'project_settings', file_path: at.path(SETTINGS) });
    expect(at.hook(event, { ...agent.env, CLAUDE_PLUGIN_ROOT: '/plugin' }).exit).toBe(0);
  });

  it('that guard itself makes (guard uninstall), and only in the content that guard wrote', () => {
    const { at, agent } = oneAgent({ fresh: true });
    at.put(SETTINGS, '{}');
    const digest = createHash('sha256').update('{}').digest('hex');
    const pass = {
      until_wall_ms: Date.now() + 30_000,
      by: 'me',
      files: [{ file: at.path(SETTINGS), digest }],
    };
    at.put(`${at.state}/veto-pass.json`, JSON.stringify(pass));
    expect(changed(agent, SETTINGS)).toMatchObject({ exit: 0, stdout: '' });
    at.put(SETTINGS, '{ }');
    expectVeto(changed(agent, SETTINGS));
  });

  it('with a pass for one file no change of another one', () => {
    const { at, agent } = oneAgent({ fresh: true });
    const digest = createHash('sha256').update(at.read(SETTINGS)).digest('hex');
    const pass = {
      until_wall_ms: Date.now() + 30_000,
      by: 'me',
      files: [{ file: at.path(SETTINGS), digest }],
    };
    at.put(`${at.state}/veto-pass.json`, JSON.stringify(pass));
    at.put(LOCAL, '{"disableAllHooks":true}');
    expectVeto(changed(agent, SETTINGS));
  });

  it('with a pass that ended, or that lasts longer than guard makes them, it does not', () => {
    const { at, agent } = oneAgent({ fresh: true });
    at.put(SETTINGS, '{}');
    const digest = createHash('sha256').update('{}').digest('hex');
    for (const until_wall_ms of [Date.now() - 1, Date.now() + 3_600_000]) {
      at.put(
        `${at.state}/veto-pass.json`,
        JSON.stringify({ until_wall_ms, by: 'me', files: [{ file: at.path(SETTINGS), digest }] }),
      );
      expectVeto(changed(agent, SETTINGS));
    }
  });

  it('while guard is off', () => {
    const { at, agent } = oneAgent({ fresh: true });
    at.put(LOCAL, '{"disableAllHooks":true}');
    at.put(
      `${at.state}/off.json`,
      JSON.stringify({ since_wall_ms: Date.now() - 1, until_wall_ms: Date.now() + 60_000, by: 'me' }),
    );
    expect(changed(agent, LOCAL).exit).toBe(0);
  });

  it('through the real guard uninstall, in the middle of a session', () => {
    const { at, agent } = oneAgent({ fresh: true });
    const told = at.guard('uninstall');
    expect(told.exit, told.stderr).toBe(0);
    expect(changed(agent, SETTINGS)).toMatchObject({ exit: 0, stdout: '' });
  });
});
