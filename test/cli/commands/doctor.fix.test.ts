import { chmodSync, existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failClosed, NO_CERTIFICATES } from '../../../src/install/command.ts';
import { guard, put, text } from '../../install/scratch.ts';
import { doctor, look, patients } from './patient.ts';

const fresh = patients();

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

describe('guard doctor --fix', () => {
  const broken = (change: (settings: string) => string) => {
    const place = fresh();
    const before = text(place.file);
    put(place.file, change(before));
    return { place, before };
  };

  it.each([
    [
      'a missing onFailure',
      (settings: string) => settings.replace(/,\s*"onFailure": "block"/, ''),
      'fail fail_closed',
    ],
    [
      'an entry without what denies when the hook fails',
      (settings: string) => settings.replace(inJson(failClosed('')), ''),
      'fail fail_closed',
    ],
    [
      'the silent form of what denies when the hook fails',
      (settings: string) => settings.replaceAll(inJson(failClosed('')), ' || exit 2'),
      'warn hooks',
    ],
    [
      'lines that read certificates at each start',
      (settings: string) => settings.replaceAll(NO_CERTIFICATES, ''),
      'warn hooks',
    ],
    [
      'a timeout in milliseconds',
      (settings: string) => settings.replace('"timeout": 60', '"timeout": 60000'),
      'warn timeouts',
    ],
    [
      'a timeout that is too short',
      (settings: string) => settings.replace('"timeout": 60', '"timeout": 2'),
      'warn timeouts',
    ],
    [
      'a matcher that forgets tools',
      (settings: string) => settings.replace('Edit|Write|MultiEdit|', 'Edit|MultiEdit|'),
      'fail fail_closed',
    ],
    [
      'a matcher of before there were tools that draft agents',
      (settings: string) =>
        settings.replace(/\|\(\?:[\w|-]+\)__\(\?:draft_agent\|await_agent\|kill_agent\|message_agent\)/, ''),
      'warn hooks',
    ],
    [
      'an event that is gone',
      (settings: string) => settings.replace(/"SessionStart": \[[^]*?\n {4}\],\s*/, ''),
      'warn hooks',
    ],
  ])('mends %s', (_what, change, complaint) => {
    const { place, before } = broken(change);
    expect(text(place.file)).not.toBe(before);
    expect(look(place).complaints).toContain(complaint);
    const told = doctor(place, '--fix');
    expect([told.code, told.complaints, told.done.length]).toEqual([0, [], 1]);
    expect(JSON.parse(text(place.file))).toEqual(JSON.parse(before));
  });

  it('puts a missing launcher back', () => {
    const place = fresh();
    rmSync(join(place.repo, '.claude', 'guard-hook.cjs'));
    expect(doctor(place).complaints).toEqual(['warn hooks', 'fail committed', 'fail live']);
    expect(doctor(place, '--fix').complaints).toEqual([]);
  });

  it('closes a state directory that others can read', () => {
    const place = fresh();
    chmodSync(place.state, 0o755);
    expect(look(place).complaints).toContain('fail state_dir');
    expect([doctor(place, '--fix').complaints, statSync(place.state).mode & 0o777]).toEqual([[], 0o700]);
  });

  it('rebuilds a damaged index', () => {
    const place = fresh();
    doctor(place);
    put(join(place.state, 'index'), 'nonsense');
    const told = doctor(place, '--fix');
    expect([told.code, told.complaints]).toEqual([0, []]);
  });

  it('leaves broken settings to their owner', () => {
    const place = fresh();
    const local = put(join(place.repo, '.claude', 'settings.local.json'), '{ "model": "x", }');
    const { code, stdout } = guard(place.repo, place.env, 'doctor', '--fix', '--json');
    expect([code, text(local)]).toEqual([1, '{ "model": "x", }']);
    expect(JSON.parse(stdout)).toMatchObject({
      done: [],
      failed: [expect.stringContaining('settings.local.json:1:15') as string],
    });
  });

  it('does not set guard up where it is not', () => {
    const place = fresh('none');
    const told = doctor(place, '--fix');
    expect([told.code, told.done, existsSync(place.state)]).toEqual([1, [], false]);
  });

  it('is not for agents, looking is', () => {
    const place = fresh();
    const agent = { ...place.env, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's' };
    expect([
      guard(place.repo, agent, 'doctor', '--fix').code,
      guard(place.repo, agent, 'doctor').code,
    ]).toEqual([64, 0]);
  });
});
