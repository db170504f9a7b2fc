/** Attempts to disable guard through Bash or with guard's own commands. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Scratch, working, wrongs } from '../claude/driver.ts';
import { faultsOf, IN_SESSION, installed, started } from './installed.ts';

const SETTINGS = '.claude/settings.json';

/** The exit code, and whether the client is asked to keep its current settings. */
const vetoOf = (at: Scratch, file: string) => {
  const { exit, stdout } = working(at).fire('ConfigChange', {
    source: 'project_settings',
    file_path: at.path(file),
  });
  return [exit, stdout === '' ? null : (JSON.parse(stdout) as { decision?: string }).decision];
};

describe('it unhooks guard through Bash', () => {
  it('the running session is guarded on, the file stays changed, a later session is not guarded, doctor says so', () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const agent = working(at);
    expect(faultsOf(at)).toEqual([]);
    at.put(SETTINGS, '{"permissions":{}}');
    expect(vetoOf(at, SETTINGS)).toEqual([2, 'block']);
    expect(wrongs(agent.write('a.txt', 'x').pre)).toEqual(['NOT_LOCKED']);
    expect(at.read(SETTINGS)).toBe('{"permissions":{}}');
    expect(working(started(at)).write('a.txt', 'x').post?.exit).toBe(0);
    expect(faultsOf(at)).toContain('hooks');
  });

  it('by disableAllHooks in another file, by a file that is no JSON, by none: vetoed; what leaves guard hooked passes', () => {
    const at = installed();
    const local = '.claude/settings.local.json';
    const [settings, own] = [at.read(SETTINGS), at.read(local)];
    at.put(local, '{"disableAllHooks":true}');
    expect(vetoOf(at, local)).toEqual([2, 'block']);
    at.put(local, '{"model":"opus"}');
    expect(vetoOf(at, local)).toEqual([0, null]);
    at.put(local, own);
    at.put(SETTINGS, settings.slice(0, -10));
    expect(vetoOf(at, SETTINGS)).toEqual([2, 'block']);
    fs.rmSync(at.path(SETTINGS));
    expect(vetoOf(at, SETTINGS)).toEqual([2, 'block']);
  });

  it('doctor names a session that ran without', () => {
    const at = installed();
    const agent = working(at);
    const later = new Date(Date.now() + 60_000);
    const ranAs = (id: string): void => {
      const dir = `${at.home}/.claude/projects/${at.root.replace(/[^a-zA-Z0-9]/g, '-')}`;
      const line = { type: 'user', message: { role: 'user', content: 'hello' } };
      fs.utimesSync(at.put(`${dir}/${id}.jsonl`, `${JSON.stringify(line)}\n`), later, later);
    };
    const seen = (): unknown =>
      (at.guardWith(IN_SESSION, 'doctor', '--json').json() as { results: { id: string }[] }).results.find(
        ({ id }) => id === 'client_life',
      );
    ranAs(agent.id);
    expect(seen()).toMatchObject({ status: 'ok', facts: { sessions: 1 } });
    const session = '11111111-1111-4111-8111-111111111111';
    ranAs(session);
    expect(seen()).toMatchObject({ status: 'warn', facts: { unseen: 1, session } });
  });
});

const WAYS_OUT: readonly (readonly string[])[] = [
  ['off', '--for', '10m'],
  ['uninstall'],
  ['doctor', '--fix'],
  ['init', '--preset', 'auto'],
];

describe('it switches guard off', () => {
  it('inside a session: refused, whatever the command, and nothing changes', () => {
    const at = installed();
    const agent = working(at);
    const before = at.read(SETTINGS);
    expect(WAYS_OUT.map((args) => agent.guard(...args).exit)).toEqual(WAYS_OUT.map(() => 64));
    expect(at.read(SETTINGS)).toBe(before);
    expect(wrongs(agent.write('a.txt', 'x').pre)).toEqual(['NOT_LOCKED']);
  });

  it('outside of one: off needs a terminal, what weakens guard leaves a record', () => {
    const at = installed();
    expect(at.guard('off', '--for', '10m').exit).toBe(64);
    expect(at.guard('doctor', '--fix').exit).toBe(0);
    expect(at.log('bypass')).toEqual([]);
    expect(at.guard('init', '--preset', 'auto').exit).toBe(0);
    expect(at.guard('uninstall').exit).toBe(0);
    expect(recordsIn(`${at.state}.uninstalled`)).toMatchObject([{ what: 'init' }, { what: 'uninstall' }]);
  });
});

/** The `bypass` records of a ledger that no command can open any longer. */
const recordsIn = (state: string): readonly object[] =>
  fs
    .readdirSync(state)
    .filter((name) => name.startsWith('ledger-'))
    .flatMap((name) => fs.readFileSync(`${state}/${name}`, 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as { readonly type: string })
    .filter(({ type }) => type === 'bypass');
