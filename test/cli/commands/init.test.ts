import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  chmodSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failClosed } from '../../../src/install/command.ts';
import { hookLines } from '../../../src/install/hook-lines.ts';
import { permissionRules } from '../../../src/install/permission-rules.ts';
import type { JsonObject } from '../../../src/install/settings-text.ts';
import { exitCode, git, guard, json, PACKAGE, put, text } from '../../install/scratch.ts';
import { commandsIn, everything, places, withClient } from './place.ts';

const { base, fresh } = places();

describe('guard init', () => {
  it('edits the target of a symbolic link, and uninstall puts it back', () => {
    const { repo, file, run, home } = fresh();
    const target = put(join(home, 'dotfiles', 'claude.json'), '{}\n');
    mkdirSync(join(repo, '.claude'));
    symlinkSync(target, file);
    run('init');
    expect([lstatSync(file).isSymbolicLink(), commandsIn(target).length > 0]).toEqual([true, true]);
    run('uninstall');
    expect([lstatSync(file).isSymbolicLink(), text(target), readdirSync(join(home, 'dotfiles'))]).toEqual([
      true,
      '{}\n',
      ['claude.json'],
    ]);
  });

  it('keeps the mode of the file, and gives its backup the same', () => {
    const { file, run } = fresh('{"env": {"KEY": "secret"}}');
    chmodSync(file, 0o600);
    run('init');
    expect([file, `${file}.guard-backup`].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it('--dry-run shows a diff that git can apply, and changes nothing', () => {
    const { repo, file, run } = fresh('{\n  "model": "opus"\n}\n');
    const original = everything(repo);
    const { code, stdout } = run('init', '--dry-run');
    expect(code).toBe(0);
    expect(everything(repo)).toEqual(original);
    expect(existsSync(join(repo, '.git', 'guard'))).toBe(false);
    expect(stdout).toContain('+    "PreToolUse": [');
    put(join(base, 'dry.patch'), stdout.replaceAll(`${repo}/`, ''));
    git(repo, 'apply', '-p0', join(base, 'dry.patch'));
    const applied = everything(repo);
    git(repo, 'apply', '-R', '-p0', join(base, 'dry.patch'));
    run('init');
    expect(text(file)).toBe(applied[file]);
  });

  it('puts the launcher into the project, and no path of this machine into committed files', () => {
    const { repo, file, run } = fresh();
    run('init');
    const launcher = join(repo, '.claude', 'guard-hook.cjs');
    expect(readFileSync(launcher).equals(readFileSync(join(PACKAGE, 'hooks', 'guard-hook.cjs')))).toBe(true);
    for (const path of [file, launcher]) expect(text(path)).not.toContain(PACKAGE);
    expect(json(join(repo, '.claude', 'settings.local.json'))).toEqual({
      permissions: { allow: permissionRules(`node ${PACKAGE}/bin/guard.cjs`) },
    });
  });

  it.each(['local', 'user'])('--scope %s names this guard by its absolute path', (scope) => {
    const { repo, home, run } = fresh();
    expect(run('init', '--scope', scope).code).toBe(0);
    const file =
      scope === 'user'
        ? join(home, '.claude', 'settings.json')
        : join(repo, '.claude', 'settings.local.json');
    expect(new Set(commandsIn(file))).toEqual(
      new Set(
        [
          `N=/usr/bin/node; [ -x "$N" ] || N=node; NODE_EXTRA_CA_CERTS= "$N" ${PACKAGE}/dist/hook.cjs guard`,
          failClosed(
            `N=/usr/bin/node; [ -x "$N" ] || N=node; NODE_EXTRA_CA_CERTS= "$N" ${PACKAGE}/dist/hook.cjs guard`,
          ),
        ].map((line) => line.replace('/usr/bin/node', process.execPath)),
      ),
    );
    expect(existsSync(join(repo, '.claude', 'guard-hook.cjs'))).toBe(false);
    expect(run('uninstall').code).toBe(0);
    expect([existsSync(join(home, '.claude')), existsSync(join(repo, '.claude'))]).toEqual([false, false]);
  });

  it('moves to another scope instead of hooking twice', () => {
    const { repo, run, file } = fresh();
    run('init');
    expect(run('init', '--scope', 'local').code).toBe(0);
    expect([existsSync(file), existsSync(join(repo, '.claude', 'guard-hook.cjs'))]).toEqual([false, false]);
    expect(run('init').stderr).toContain('scope local');
    expect(run('init', '--scope', 'project').code).toBe(0);
    expect(commandsIn(join(repo, '.claude', 'settings.local.json'))).toEqual([]);
    run('uninstall');
    expect(existsSync(join(repo, '.claude'))).toBe(false);
  });

  it('leaves committed settings of a team alone, except for what this machine needs', () => {
    const one = fresh();
    one.run('init');
    git(one.repo, 'add', '.claude/settings.json', '.claude/guard-hook.cjs');
    git(one.repo, 'commit', '-qm', 'guard');
    const clone = join(base, 'a clone');
    git(base, 'clone', '-q', one.repo, clone);
    expect(guard(clone, one.env, 'init').code).toBe(0);
    expect(git(clone, 'status', '--short', '--untracked-files=no')).toBe('');
    expect(json(join(clone, '.git', 'guard', 'install.json'))).toMatchObject({ guard_root: PACKAGE });
    expect(guard(clone, one.env, 'init').stderr).toContain('Nothing to change');
  });

  it.each([
    ['standard', 'required', 'changed'],
    ['strict', 'required', 'always'],
    ['auto', 'auto', 'changed'],
  ])('--preset %s is fixed for the whole ledger', (preset, enforcement_floor, unread_floor) => {
    const { state, run } = fresh();
    run('init', '--preset', preset);
    expect(json(join(state, 'install.json'))).toMatchObject({ enforcement_floor, unread_floor });
    run('init');
    expect(json(join(state, 'install.json'))).toMatchObject({ enforcement_floor, unread_floor });
  });

  it('lets only a person weaken the preset', () => {
    const { repo, env, run, state } = fresh();
    run('init');
    const agent = { ...env, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's' };
    expect(guard(repo, agent, 'init', '--preset', 'auto').code).toBe(64);
    expect(guard(repo, agent, 'init', '--preset', 'strict').code).toBe(0);
    expect(guard(repo, agent, 'init', '--preset', 'standard').code).toBe(64);
    expect(json(join(state, 'install.json'))).toMatchObject({ unread_floor: 'always' });
    expect(run('init', '--preset', 'auto').code).toBe(0);
  });

  it('lets no agent take a hook away: by a faked old client, or by moving to another scope', () => {
    const { repo, home, env, file } = fresh();
    guard(repo, withClient(home, '2.1.330', env), 'init');
    rmSync(join(home, 'bin', 'claude'));
    const before = text(file);
    const agent = { ...env, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's' };
    expect(guard(repo, withClient(home, '2.0.77', agent), 'init').code).toBe(64);
    expect(guard(repo, { ...agent, AI_AGENT: 'claude-code_2-0-77_x' }, 'init').code).toBe(64);
    expect(guard(repo, agent, 'init', '--scope', 'local').code).toBe(64);
    expect([guard(repo, agent, 'init').code, text(file)]).toEqual([0, before]);
  });

  it('is safe to run several times at once', async () => {
    const { repo, env, file, run } = fresh('{\n  "model": "opus"\n}\n');
    const codes = await Promise.all(Array.from({ length: 4 }, () => exitCode(repo, env, 'init')));
    expect(codes).toEqual([0, 0, 0, 0]);
    const alone = fresh('{\n  "model": "opus"\n}\n');
    alone.run('init');
    expect(text(file)).toBe(text(alone.file));
    expect(run('init').stderr).toContain('Nothing to change');
    run('uninstall');
    expect([text(file), readdirSync(join(repo, '.claude'))]).toEqual([
      '{\n  "model": "opus"\n}\n',
      ['settings.json'],
    ]);
  });

  it('does not write its launcher over something else, or through a link', () => {
    const one = fresh();
    const own = put(join(one.repo, '.claude', 'guard-hook.cjs'), 'my own\n');
    expect([one.run('init').code, text(own), existsSync(one.state)]).toEqual([2, 'my own\n', false]);
    const two = fresh();
    const profile = put(join(two.home, '.profile'), 'export X=1\n');
    mkdirSync(join(two.repo, '.claude'));
    symlinkSync(profile, join(two.repo, '.claude', 'guard-hook.cjs'));
    expect([two.run('init').code, text(profile)]).toEqual([2, 'export X=1\n']);
    expect(two.run('init', '--scope', 'local').code).toBe(0);
  });

  it('hooks the MCP tools that the configuration names, once it names them', () => {
    const { repo, file, run } = fresh();
    run('init');
    put(
      join(repo, 'guard.config.json'),
      JSON.stringify({ mcp: { writers: [{ tool: 'mcp__fs__put', paths: ['path'] }] } }),
    );
    expect(run('init').stderr).toContain('updated');
    const matchers = hookLines(json(file) as JsonObject).map(({ event, matcher, onFailure }) => [
      event,
      matcher,
      onFailure,
    ]);
    const naming = (event: string) =>
      matchers.filter(([of, matcher]) => of === event && String(matcher).startsWith('^(?:mcp__fs__put|'));
    expect(naming('PreToolUse').map(([, , onFailure]) => onFailure)).toEqual(['block']);
    expect(naming('PostToolUse').map(([, , onFailure]) => onFailure)).toEqual([undefined]);
    run('uninstall');
    expect(existsSync(join(repo, '.claude'))).toBe(false);
  });

  it('names only old events for an old client', () => {
    const { repo, home, env } = fresh();
    const old = withClient(home, '2.0.77', env);
    const { stderr } = guard(repo, old, 'init');
    expect(stderr).toContain('2.0.77');
    const { hooks } = json(join(repo, '.claude', 'settings.json')) as { hooks: object };
    expect(Object.keys(hooks)).not.toContain('PostToolBatch');
    expect(guard(repo, withClient(home, '2.1.330', env), 'init').code).toBe(0);
    expect(Object.keys((json(join(repo, '.claude', 'settings.json')) as { hooks: object }).hooks)).toContain(
      'PostToolBatch',
    );
  });

  it('names only events that every client knows where no client is found, and keeps what is there', () => {
    const { repo, home, env, file } = fresh();
    const eventsNow = () => Object.keys((json(file) as { hooks: object }).hooks);
    const without = { ...env, PATH: join(home, 'nowhere') };
    expect(guard(repo, without, 'init').stderr).toContain('not found on PATH');
    expect(eventsNow()).not.toContain('PostToolBatch');
    guard(repo, withClient(home, '2.1.330', env), 'init');
    expect(guard(repo, without, 'init').code).toBe(0);
    expect(eventsNow()).toContain('PostToolBatch');
  });

  it('works without git, in the directory it is called in', () => {
    const { env } = fresh();
    const plain = join(base, 'plain');
    mkdirSync(plain);
    expect(guard(plain, env, 'init').code).toBe(0);
    expect([
      existsSync(join(plain, '.guard', 'install.json')),
      text(join(plain, '.guard', '.gitignore')),
    ]).toEqual([true, '*\n']);
    expect(guard(plain, env, 'uninstall').code).toBe(0);
    expect(readdirSync(plain)).toEqual([]);
  });

  it('works from a sub-directory, for the whole repository', () => {
    const { repo, env, file } = fresh();
    expect(guard(join(repo, 'src'), env, 'init').code).toBe(0);
    expect([existsSync(file), existsSync(join(repo, 'src', '.claude'))]).toEqual([true, false]);
  });

  it('repairs a state directory whose install.json is damaged, and keeps the ledger', () => {
    const { state, run } = fresh();
    run('init');
    put(join(state, 'install.json'), '{');
    put(join(state, 'ledger-0000.jsonl'), '');
    expect(run('init').code).toBe(0);
    expect(json(join(state, 'install.json'))).toMatchObject({ v: 1 });
    expect(existsSync(join(state, 'ledger-0000.jsonl'))).toBe(true);
    rmSync(join(state, 'ledger-0000.jsonl'));
  });

  it('does not touch what a newer guard set up', () => {
    const { repo, state, run } = fresh();
    run('init');
    put(join(state, 'install.json'), text(join(state, 'install.json')).replace('"v": 1', '"v": 3'));
    const before = everything(join(repo, '.claude'));
    expect(run('init', '--preset', 'strict', '--json')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('GUARD_ERR_VERSION') as string,
    });
    expect(everything(join(repo, '.claude'))).toEqual(before);
  });
});
