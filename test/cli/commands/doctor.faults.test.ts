import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PACKAGE, put, run as start, text } from '../../install/scratch.ts';
import { doctor, look, patients } from './patient.ts';

const fresh = patients();

describe('guard doctor finds', () => {
  it('an old client, and which promises do not hold with it', () => {
    const place = fresh();
    put(join(place.home, 'bin', 'claude'), '#!/bin/sh\necho "2.1.100 (Claude Code)"\n');
    const told = look(place);
    expect(told.of('client')[0]?.facts['lacks']).toEqual([
      'CLAUDE_CODE_SESSION_ID',
      'CLAUDE_PID',
      'PostToolUseFailure, PostToolBatch',
      'ConfigChange',
      'SubagentStart',
      'onFailure',
      'UserPromptSubmit in mid-turn',
    ]);
    // The installed hooks also name events for which this client rejects the whole file.
    expect(told.complaints).toContain('fail settings');
  });

  it('that agents cannot take locks without asking', () => {
    const place = fresh();
    rmSync(join(place.repo, '.claude', 'settings.local.json'));
    expect(look(place).complaints).toContain('warn permissions');
  });

  it('nothing in a command and rules that have the earlier name of the program', () => {
    const place = fresh();
    for (const file of ['.claude/settings.local.json', '.git/guard/install.json'])
      put(join(place.repo, file), text(join(place.repo, file)).replaceAll('bin/guard.cjs', 'bin/guard.mjs'));
    expect(look(place).of('permissions')).toMatchObject([
      { status: 'ok', facts: { command: expect.stringContaining('bin/guard.mjs') as string } },
    ]);
  });

  it('that the client does not trust the folder', () => {
    const place = fresh();
    const trust = (hasTrustDialogAccepted: boolean) =>
      put(
        join(place.home, '.claude.json'),
        JSON.stringify({ projects: { [place.repo]: { hasTrustDialogAccepted } } }),
      );
    trust(false);
    expect(look(place).complaints).toEqual(['warn permissions']);
    trust(true);
    expect(look(place).complaints).toEqual([]);
  });

  it('settings that git ignores', () => {
    const place = fresh();
    put(join(place.repo, '.gitignore'), '.claude/\n');
    expect(look(place).complaints).toEqual(['warn committed', 'warn committed']);
  });

  it('a configuration that is wrong, and one that is ignored', () => {
    const place = fresh();
    put(join(place.repo, 'guard.config.json'), '{\n  "enforcment": "required"\n}\n');
    const told = look(place);
    const [wrong] = told.of('config');
    expect([wrong?.status, wrong?.message.includes('guard.config.json:2:3')]).toEqual(['fail', true]);
    // Other checks read it too; the reason is given once.
    expect(told.complaints).toEqual(['fail config']);
    put(join(place.repo, 'guard.config.json'), '{ "enforcement": "off" }');
    expect(
      look(place)
        .of('config')
        .map(({ status, facts }) => [status, facts['kept']]),
    ).toEqual([['warn', 'required']]);
  });

  it('a damaged ledger, and leaves it alone until a person gives up the records explicitly', () => {
    const place = fresh();
    const event = {
      session_id: 's1',
      transcript_path: '/t',
      cwd: place.repo,
      hook_event_name: 'SessionStart',
      source: 'startup',
    };
    const hook = join(PACKAGE, 'dist', 'hook.cjs');
    const fire = (session_id: string) =>
      start(process.execPath, [hook], {
        cwd: place.repo,
        env: { ...place.env, CLAUDE_PROJECT_DIR: place.repo },
        input: JSON.stringify({ ...event, session_id }),
      });
    fire('s1');
    fire('s2');
    const segment = readdirSync(place.state).find((name) => name.startsWith('ledger-')) ?? '';
    const damaged = text(join(place.state, segment)).replace('claude-s1', 'claude-sX');
    put(join(place.state, segment), damaged);
    const told = doctor(place, '--fix');
    expect([told.code, told.complaints.includes('fail ledger')]).toEqual([1, true]);
    expect(text(join(place.state, segment)).startsWith(damaged)).toBe(true);
    expect(place.run('doctor', '--quarantine').code).toBe(64);
    const given_up = doctor(place, '--fix', '--quarantine');
    expect([given_up.code, given_up.complaints, given_up.done.length > 0]).toEqual([0, [], true]);
    expect(readdirSync(join(place.state, 'quarantine')).length).toBeGreaterThan(0);
  });

  it('an installed command that does not deny', () => {
    const place = fresh();
    const fake = join(place.home, 'fake');
    put(join(fake, 'package.json'), '{"name":"guard"}');
    put(join(fake, 'dist', 'hook.cjs'), '');
    put(join(place.state, 'install.json'), text(join(place.state, 'install.json')).replace(PACKAGE, fake));
    const told = doctor(place);
    expect([told.code, told.of('live')[0]?.status, told.of('live')[0]?.facts['exit']]).toEqual([
      1,
      'fail',
      0,
    ]);
  });

  it('an installed command that cannot run at all', () => {
    const place = fresh();
    const bare = { ...place.env, PATH: join(place.home, 'bin') };
    expect(doctor({ ...place, env: bare }).of('live')[0]).toMatchObject({
      status: 'fail',
      facts: { exit: 2 },
    });
  });
});
