/** What a repository may contain to weaken guard, or to make guard run something. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Env, type Scratch, working, wrongs } from '../claude/driver.ts';
import { faultsOf, IN_SESSION, installed } from './installed.ts';

const doctorOf = (at: Scratch, env: Env = {}): string =>
  at.guardWith({ ...IN_SESSION, ...env }, 'doctor', '--json').stdout;

const WEAK = { enforcement: 'off', unread: 'off', ttl: '10s', idle: '5s' };

describe('a repository weakens guard', () => {
  it('by its configuration: ignored, and doctor names the file and each key', () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    at.put('guard.config.json', JSON.stringify(WEAK));
    expect(wrongs(working(at).write('a.txt', 'x').pre)).toEqual(['NOT_LOCKED']);
    const told = doctorOf(at);
    for (const [key, value] of Object.entries(WEAK))
      expect(told).toContain(
        JSON.stringify(`${at.path('guard.config.json')}: "${key}": ${value} was ignored`).slice(1, -1),
      );
  });

  it('by variables of a session: ignored, and doctor names them', () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const env = { GUARD_ENFORCEMENT: 'off', GUARD_UNREAD: 'off', GUARD_PRESET: 'auto' };
    expect(wrongs(working(at, { env }).write('a.txt', 'x').pre)).toEqual(['NOT_LOCKED']);
    const told = doctorOf(at, env);
    for (const key of ['enforcement', 'unread'])
      expect(told).toContain(`environment: \\"${key}\\": off was ignored`);
  });
});

describe('a repository names a program or a place', () => {
  it('by any key: the configuration is refused, and the program does not run', () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const program = at.put('evil.sh', `#!/bin/sh\ntouch "${at.home}/ran"\n`);
    fs.chmodSync(program, 0o755);
    const agent = working(at);
    for (const key of ['command', 'guard_root', 'engine', 'state_dir']) {
      at.put('guard.config.json', JSON.stringify({ [key]: program }));
      expect(agent.write('a.txt', 'x').pre.denial, key).toMatchObject({
        error_type: 'GUARD_ERROR',
        details: { code: 'GUARD_ERR_CONFIG' },
      });
    }
    expect(faultsOf(at)).toContain('config');
    expect(fs.existsSync(`${at.home}/ran`)).toBe(false);
  });
});

describe("git's configuration names programs", () => {
  it('and none of them runs when guard asks where a file went', () => {
    const at = installed({ files: { 'a.txt': 'one\ntwo\n' } });
    at.git('add', 'a.txt');
    at.git('-c', 'user.email=a@b', '-c', 'user.name=x', 'commit', '-qm', 'x');
    const agent = working(at);
    agent.lock('a.txt');
    agent.read('a.txt');
    at.git('mv', 'a.txt', 'b.txt');
    const program = at.put('evil.sh', `#!/bin/sh\ntouch "${at.home}/ran"\n`);
    fs.chmodSync(program, 0o755);
    const keys = ['core.fsmonitor', 'core.pager', 'core.sshCommand', 'diff.external', 'gpg.program'];
    for (const key of [...keys, 'diff.evil.command', 'diff.evil.textconv', 'filter.evil.clean'])
      at.git('config', key, program);
    at.put('.gitattributes', '* diff=evil filter=evil\n');
    const index = fs.readFileSync(at.path('.git/index'));
    expect(agent.write('a.txt', 'x').pre.denial?.details).toMatchObject({
      gone: 'moved',
      moved_to: at.path('b.txt'),
    });
    expect(fs.existsSync(`${at.home}/ran`)).toBe(false);
    expect(fs.readFileSync(at.path('.git/index')).equals(index)).toBe(true);
  });
});
