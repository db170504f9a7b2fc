/** `guard init --host codex`: what it writes, what it keeps, and what it leaves behind when removed. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codexHooks } from '../../../src/install/hosts/codex.ts';
import { hostLine } from '../../../src/install/hosts/place.ts';
import { scratch, type Scratch } from '../../claude/driver.ts';

const FILE = '.codex/hooks.json';

const tree = (at: Scratch): readonly string[] =>
  fs
    .readdirSync(at.root, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('.git'))
    .toSorted();

describe('setting Codex up', () => {
  it('writes its hooks and the launcher, says what a person must do, and is taken back byte for byte', () => {
    const at = scratch({ init: null });
    const own =
      '{\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]},\n  "x": 1\n}\n';
    at.put(FILE, own);
    const before = tree(at);
    const told = at.guard('init', '--host', 'codex');
    expect([told.exit, told.stderr]).toEqual([0, expect.stringContaining('/hooks')]);
    expect(at.read(FILE)).toContain('"command": "true"');
    expect(JSON.parse(at.read(FILE))).toMatchObject({
      x: 1,
      hooks: { PreToolUse: [{ matcher: '^apply_patch$' }, {}] },
    });
    expect(fs.existsSync(at.path('.claude/guard-hook.cjs'))).toBe(true);
    const again = at.guard('init', '--host', 'codex', '--json');
    expect(again.json()).toMatchObject({ changed: false, scope: 'project' });
    expect(at.guard('uninstall').exit).toBe(0);
    expect(at.read(FILE)).toBe(own);
    expect(tree(at)).toEqual(before);
  });

  it('beside Claude Code leaves its settings alone, and the other way round', () => {
    const at = scratch({ fresh: true });
    const settings = at.read('.claude/settings.json');
    expect(at.guard('init', '--host', 'codex').exit).toBe(0);
    expect(at.read('.claude/settings.json')).toBe(settings);
    const hooks = at.read(FILE);
    expect(at.guard('init', '--scope', 'local').exit).toBe(0);
    expect([at.read(FILE), fs.existsSync(at.path('.claude/guard-hook.cjs'))]).toEqual([hooks, true]);
  });

  it('for the user writes into the home of Codex, and goes with the last repository', () => {
    const at = scratch({ init: null });
    expect(at.guard('init', '--host', 'codex', '--scope', 'user').exit).toBe(0);
    const file = join(at.home, FILE);
    expect(fs.readFileSync(file, 'utf8')).toContain('dist/hook.cjs guard --host codex');
    expect(fs.existsSync(at.path('.claude'))).toBe(false);
    expect(at.guard('init', '--host', 'codex', '--json').json()).toMatchObject({
      changed: false,
      scope: 'user',
    });
    expect(at.guard('init', '--dry-run', '--json').json()).toMatchObject({ scope: 'project' });
    expect(at.guard('uninstall').exit).toBe(0);
    expect(fs.existsSync(file)).toBe(false);
  });

  it('refuses a file that it cannot edit, and a scope that Codex has not', () => {
    const at = scratch({ init: null });
    at.put(FILE, '{ "hooks": {} // mine\n}');
    const told = at.guard('init', '--host', 'codex');
    expect([told.exit, told.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('GUARD_ERR_SETTINGS'),
    ]);
    expect(at.read(FILE)).toBe('{ "hooks": {} // mine\n}');
    expect(at.guard('init', '--host', 'codex', '--scope', 'local').exit).toBe(64);
    expect(at.guard('init', '--host', 'nobody').exit).not.toBe(0);
  });
});

/** Spelled out: a person trusted this exact text, and any change leaves sessions unguarded until trusted again. */
describe('the definition that a person trusts', () => {
  it.each([
    [
      'project',
      'node "$(git rev-parse --show-toplevel 2>/dev/null || pwd)/.claude/guard-hook.cjs" --host codex',
    ],
    ['user', 'node /g/dist/hook.cjs guard --host codex'],
  ] as const)('of the %s is the same from version to version, whatever Node runs it', (scope, program) => {
    const line = `NODE_EXTRA_CA_CERTS= ${program}`;
    const closed = `${line} || { rc=$?; [ "$rc" = 2 ] || echo 'guard did not start: run guard doctor' >&2; exit 2; }`;
    const group = (command: string, timeout: number, matcher?: string) => ({
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{ type: 'command', command, timeout }],
    });
    const plain = [group(line, 60)];
    expect(codexHooks.content(hostLine({ guard_root: '/g' }, { name: 'codex', scope }))).toEqual({
      hooks: {
        SessionStart: plain,
        UserPromptSubmit: plain,
        PreToolUse: [group(closed, 60, '^apply_patch$'), group(line, 60, '^(Bash|mcp__.*)$')],
        PostToolUse: [group(line, 60, '^(apply_patch|Bash|mcp__.*)$')],
        SubagentStart: plain,
        SubagentStop: plain,
        Stop: plain,
        Interrupt: [group(line, 3)],
        SessionEnd: [group(line, 3)],
      },
    });
  });
});
