/** Checks of settings: changes that weaken guard, and files that leave a session unguarded. */
import { describe, expect, it } from 'vitest';
import { hookTable } from '../../src/install/entries.ts';
import {
  absoluteHookCommand,
  failClosed,
  PLUGIN_HOOK_COMMAND,
  PROJECT_HOOK_COMMAND,
} from '../../src/install/command.ts';
import { whyUnguarded, whyUnhooked } from '../../src/settings/judge.ts';
import { readModel } from '../../src/settings/model.ts';
import { merged, ORDINARY } from './ordinary.ts';

const CLIENT = '2.1.330';
const GUARDED = { hooks: hookTable(PROJECT_HOOK_COMMAND, 'all') };
const BEFORE = JSON.stringify(GUARDED, null, 2);
const changed = (change: object, version: string | null = CLIENT) =>
  whyUnhooked(BEFORE, JSON.stringify(merged(GUARDED, change)), version);

describe('a hundred ordinary edits', () => {
  it.each([CLIENT, '2.1.300', '2.1.200', null])('with client %s: none is refused', (version) => {
    expect(ORDINARY).toHaveLength(100);
    expect(ORDINARY.filter((edit) => changed(edit, version) !== null)).toEqual([]);
    expect(ORDINARY.filter((edit) => unguarded(merged(GUARDED, edit), {}, version) !== null)).toEqual([]);
  });
});

const entry = (more: object): object => ({
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true', ...more }] }] },
});

/** Changes that leave a session unguarded; each of the first ten has one wrong value. */
const UNGUARDS: readonly [string, object][] = [
  ['a hook entry whose `if` is a number', entry({ if: 5 })],
  ['a hook entry whose `async` is a string', entry({ async: 'yes' })],
  ['a hook entry whose `statusMessage` is a number', entry({ statusMessage: 5 })],
  ['a prompt hook without its prompt', entry({ type: 'prompt' })],
  ['permission rules that are no list', { permissions: { allow: 5 } }],
  ['an `env` that is a number', { env: 5 }],
  ['a permission mode that does not exist', { permissions: { defaultMode: 'nope' } }],
  ['an entry for plugins that is a number', { enabledPlugins: { 'x@y': 5 } }],
  ['a status line of another kind', { statusLine: { type: 'text', command: 'x' } }],
  ['a model that is null', { model: null }],
  ['CLAUDE_CODE_SHELL_PREFIX', { env: { CLAUDE_CODE_SHELL_PREFIX: '/bin/true' } }],
  ['NODE_OPTIONS that load code', { env: { NODE_OPTIONS: '--require=/tmp/x.cjs' } }],
  ['NODE_OPTIONS that load code behind harmless ones', { env: { NODE_OPTIONS: '--no-warnings -r /tmp/x' } }],
  ['PATH', { env: { PATH: '/tmp/evil:/usr/bin' } }],
  ['LD_PRELOAD', { env: { LD_PRELOAD: '/tmp/x.so' } }],
  ['DYLD_INSERT_LIBRARIES', { env: { DYLD_INSERT_LIBRARIES: '/tmp/x.dylib' } }],
  ['CLAUDE_CODE_SAFE_MODE', { env: { CLAUDE_CODE_SAFE_MODE: '1' } }],
  ['CLAUDE_CODE_SIMPLE', { env: { CLAUDE_CODE_SIMPLE: '1' } }],
  ['disableAllHooks', { disableAllHooks: true }],
];

/** Hooks keep denying with these set, but agents have no business setting them. */
const MISLEADS = [
  ...['GUARD_ENFORCEMENT', 'HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'CLAUDE_CONFIG_DIR', 'AI_AGENT'],
  ...['CLAUDE_PID', 'CLAUDE_PROJECT_DIR', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_PLUGIN_ROOT', 'CLAUDECODE'],
  ...['BASH_ENV', 'ENV', 'SHELL', 'CLAUDE_CODE_SHELL', 'SHELLOPTS', 'CLAUDE_ENV_FILE', 'BASH_FUNC_node%%'],
  ...['NODE_PATH', 'NODE_COMPILE_CACHE', 'OPENSSL_CONF', 'CLAUDE_CODE_MANAGED_SETTINGS_PATH'],
];

function unguarded(settings: object, env: Record<string, string> = {}, version: string | null = CLIENT) {
  return whyUnguarded({ files: [readModel(JSON.stringify(settings), version)], env, by_plugin: false });
}

describe('a change that unguards', () => {
  it.each(UNGUARDS)('%s: refused if an agent writes it', (_, change) => {
    expect(changed(change)).not.toBeNull();
  });

  it.each(UNGUARDS)('%s: noticed if someone else wrote it', (_, change) => {
    expect(unguarded(GUARDED)).toBeNull();
    expect(unguarded(merged(GUARDED, change))).not.toBeNull();
  });
});

describe('variables that mislead guard', () => {
  it.each(MISLEADS)('%s: no agent may set, change or remove it', (name) => {
    const env = { env: { [name]: '/tmp/x' } };
    const other = { env: { [name]: '/tmp/y' } };
    const text = (settings: object) => JSON.stringify(merged(GUARDED, settings));
    expect(changed(env)).toContain(name);
    expect(whyUnhooked(text(env), text(other), CLIENT)).toContain(name);
    expect(whyUnhooked(text(env), BEFORE, CLIENT)).toContain(name);
    expect(whyUnhooked(text(env), text({ ...env, model: 'opus' }), CLIENT)).toBeNull();
  });

  it.each(MISLEADS)('%s: no veto, since the hooks of this client still deny', (name) => {
    expect(unguarded(merged(GUARDED, { env: { [name]: '/tmp/x' } }))).toBeNull();
  });
});

describe('only what a change makes worse is refused', () => {
  const broken = merged(GUARDED, { env: 5 });

  it('a file that a person broke may be edited and repaired', () => {
    const text = JSON.stringify(broken);
    expect(whyUnhooked(text, JSON.stringify({ ...broken, model: 'opus' }), CLIENT)).toBeNull();
    expect(whyUnhooked(text, BEFORE, CLIENT)).toBeNull();
    expect(whyUnhooked(text, JSON.stringify({ ...broken, model: 5 }), CLIENT)).toContain('model');
  });

  it('an entry that was already wrong may move within its list', () => {
    const one = merged(GUARDED, entry({ if: 5 }));
    const first = { hooks: [{ type: 'command', command: 'true' }] };
    const moved = {
      hooks: {
        ...(one['hooks'] as object),
        PreToolUse: [first, ...(one['hooks'] as { PreToolUse: object[] }).PreToolUse],
      },
    };
    expect(whyUnhooked(JSON.stringify(one), JSON.stringify(moved), CLIENT)).toBeNull();
  });

  it('the order of keys in an entry of guard does not matter, its content does', () => {
    const reversed = JSON.stringify(GUARDED, (_, value: unknown) =>
      typeof value === 'object' && value !== null && 'command' in value
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    );
    expect(whyUnhooked(BEFORE, reversed, CLIENT)).toBeNull();
    expect(whyUnhooked(BEFORE, BEFORE.replace('"timeout": 60', '"timeout": 1'), CLIENT)).not.toBeNull();
    expect(
      whyUnhooked(BEFORE, BEFORE.replace('"type": "command"', '"type": "command","if":"Edit"'), CLIENT),
    ).toContain('PreToolUse');
  });

  it('leaving the plugin out does not disable it', () => {
    const on = (more: object) => JSON.stringify({ enabledPlugins: { 'guard@guard': true, ...more } });
    expect(whyUnhooked(on({}), '{}', CLIENT)).toContain('plugin');
    expect(whyUnhooked(on({}), on({ 'guard@guard': false }), CLIENT)).toContain('plugin');
    expect(whyUnhooked('{}', on({ 'guard@guard': false }), CLIENT)).toContain('plugin');
    expect(whyUnhooked(on({}), on({ 'other@x': true }), CLIENT)).toBeNull();
    expect(whyUnhooked('{}', on({}), CLIENT)).toBeNull();
    expect(whyUnhooked(on({ 'guardian@x': true }), on({}), CLIENT)).toBeNull();
  });

  it('a change that stops foreign code in guard is allowed', () => {
    const text = JSON.stringify(merged(GUARDED, { env: { NODE_OPTIONS: '-r /tmp/x' } }));
    expect(whyUnhooked(text, BEFORE, CLIENT)).toBeNull();
  });
});

const KEPT = absoluteHookCommand('/opt/node 22/bin/node', "/home/o'brien/guard");

/** Commands that current and older versions of guard write, and ones that people copy. */
const GUARDS = [
  PROJECT_HOOK_COMMAND,
  KEPT,
  failClosed(KEPT),
  `${PROJECT_HOOK_COMMAND} || exit 2`,
  // From before the line cleared NODE_EXTRA_CA_CERTS.
  failClosed('node "${CLAUDE_PROJECT_DIR:-.}/.claude/guard-hook.cjs"'),
  'N=\'/opt/node 22/bin/node\'; [ -x "$N" ] || N=node; "$N" /opt/guard/dist/hook.cjs guard',
  "/usr/bin/node '/home/o'\\''brien/guard/dist/hook.cjs' guard",
  '/usr/bin/nodejs /opt/guard/dist/hook.cjs guard || exit 2',
  'node .claude/guard-hook.cjs',
  'node "$CLAUDE_PROJECT_DIR"/.claude/guard-hook.cjs || exit 2',
];

const SHAMS = [
  `true || ${PROJECT_HOOK_COMMAND}`,
  `: && ${PROJECT_HOOK_COMMAND} || true`,
  `exit 0; ${PROJECT_HOOK_COMMAND}`,
  `${PROJECT_HOOK_COMMAND} || true`,
  `${PROJECT_HOOK_COMMAND} || exit 0`,
  `${PROJECT_HOOK_COMMAND} || exit 2; exit 0`,
  `${PROJECT_HOOK_COMMAND} &`,
  `exit 0\n${PROJECT_HOOK_COMMAND}`,
  'node -e 0 .claude/guard-hook.cjs',
  'NODE_EXTRA_CA_CERTS=/tmp/x node .claude/guard-hook.cjs',
  'NODE_OPTIONS= node .claude/guard-hook.cjs',
  'node --version .claude/guard-hook.cjs',
  'node "/tmp/mine/.claude/guard-hook.cjs"',
  KEPT.replace("N='/opt/node 22/bin/node'", 'N=/bin/true'),
  '/bin/true /opt/guard/dist/hook.cjs guard',
  "node '/opt/guard/dist/hook.cjs' guard; true",
  // CLAUDE_PLUGIN_ROOT is not set for hooks in a settings file.
  PLUGIN_HOOK_COMMAND,
];

describe('all files of a session together', () => {
  const file = (value: unknown) => readModel(JSON.stringify(value), CLIENT);
  const survey = (files: readonly object[], more = {}) =>
    whyUnguarded({ files: files.map(file), env: {}, by_plugin: false, ...more });

  it('a file that the client drops does not matter while another one hooks guard', () => {
    expect(survey([{ env: 5 }, GUARDED, { permissions: { allow: 5 } }])).toBeNull();
    expect(survey([{}, merged(GUARDED, { env: 5 }), GUARDED])).toBeNull();
    expect(survey([{}, merged(GUARDED, { env: 5 }), {}])).toContain('env');
  });

  it('the last disableAllHooks counts, and only from a file that is kept', () => {
    expect(survey([{ disableAllHooks: true }, GUARDED])).not.toBeNull();
    expect(survey([{ disableAllHooks: true }, merged(GUARDED, { disableAllHooks: false })])).toBeNull();
    expect(survey([GUARDED, { disableAllHooks: true, env: 5 }])).toBeNull();
  });

  it('settings reserved for administrators are ignored in other files', () => {
    const said = { allowManagedHooksOnly: true, strictPluginOnlyCustomization: ['hooks'] };
    expect(survey([said, merged(GUARDED, said)])).toBeNull();
    expect(changed(said)).toBeNull();
  });

  it('a variable that the session had from its start is not a change', () => {
    const settings = merged(GUARDED, { env: { PATH: '/opt/bin:/bin' } });
    expect(survey([settings], { env: { PATH: '/bin' } })).toContain('PATH');
    expect(survey([settings], { env: { PATH: '/opt/bin:/bin' } })).toBeNull();
  });

  it('a plugin hooks guard until a file switches it off', () => {
    const by_plugin = { by_plugin: true };
    expect(survey([{}], by_plugin)).toBeNull();
    expect(survey([{ enabledPlugins: { 'guard@x': false } }], by_plugin)).not.toBeNull();
    expect(survey([{ enabledPlugins: { 'guard@x': true } }], by_plugin)).toBeNull();
  });

  it('a hook that the client does not wait for, or that only names guard, guards nothing', () => {
    const put = (from: string, to: string) => {
      const text = JSON.stringify(GUARDED).replaceAll(from, to);
      return whyUnguarded({ files: [readModel(text, CLIENT)], env: {}, by_plugin: false });
    };
    expect(put('"timeout":60', '"timeout":60')).toBeNull();
    expect(put('"timeout":60', '"timeout":60,"async":true')).not.toBeNull();
    expect(put('"timeout":60', '"timeout":60,"if":"Edit(x)"')).not.toBeNull();
    expect(put('"command":"NODE', '"command":"true # NODE')).not.toBeNull();
    expect(put('"type":"command"', '"type":"prompt","prompt":"x"')).not.toBeNull();
  });

  const everyHook = (change: (hook: object) => object) =>
    JSON.parse(JSON.stringify(GUARDED), (_, value: unknown) =>
      typeof value === 'object' && value !== null && 'command' in value ? change(value) : value,
    ) as object;

  it.each(GUARDS)('guard is recognised in every command line that it installs: %s', (command) => {
    expect(survey([everyHook((hook) => ({ ...hook, command }))])).toBeNull();
  });

  it.each(SHAMS)('a command line that only looks like it guards nothing: %s', (command) => {
    expect(survey([everyHook((hook) => ({ ...hook, command }))])).toContain('hooks');
  });

  it('neither does one that the client cuts off at once, or starts as a program', () => {
    const put = (more: object) => survey([everyHook((hook) => ({ ...hook, ...more }))]);
    expect(put({ timeout: 0.01 })).not.toBeNull();
    expect(put({ args: ['x'] })).not.toBeNull();
    expect(put({ timeout: 5 })).toBeNull();
    expect(put({ timeout: undefined })).toBeNull();
  });

  it('notebooks are files, too', () => {
    const text = JSON.stringify(GUARDED).replace('|NotebookEdit', '');
    expect(survey([JSON.parse(text) as object])).toContain('hooks');
  });

  it('the last setting for the plugin counts, and a leftover marketplace does not', () => {
    const by_plugin = { by_plugin: true };
    const on = { enabledPlugins: { 'guard@x': true } };
    const off = { enabledPlugins: { 'guard@x': false } };
    expect(survey([off, on], by_plugin)).toBeNull();
    expect(survey([on, off], by_plugin)).not.toBeNull();
    expect(survey([{ enabledPlugins: { 'guard@old': false, 'guard@x': true } }], by_plugin)).toBeNull();
  });
});
