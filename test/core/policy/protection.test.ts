import { describe, expect, it } from 'vitest';
import { mayBeProtected } from '../../../src/core/policy/may-be-protected.ts';
import { isGits, type ProtectedPlace, whyProtected } from '../../../src/core/policy/protection.ts';

const at = (real: string, ...places: ProtectedPlace[]): string | null =>
  whyProtected({ real, abs: real, isAt: (place) => places.includes(place) });

describe('a file is protected', () => {
  it.each([
    '/r/.guard/ledger-0.jsonl',
    '/r/.git/guard/off.json',
    '/r/.git/modules/sub/guard/off.json',
    '/r/guard.config.json',
    '/r/.claude/settings.json.guard-backup',
    '/r/.claude/guard-hook.cjs',
    '/r/.CLAUDE/Guard-Hook.cjs',
    '/w/.git',
    '/r/.git/worktrees/w/gitdir',
  ])('by its name alone: %s', (real) => {
    expect(at(real)).not.toBeNull();
    expect(mayBeProtected([real], [])).toBe(true);
  });

  it.each<[string, ProtectedPlace]>([
    ['/etc/claude-code/managed-settings.json', 'managed'],
    ['/home/a/.claude/plugins/installed_plugins.json', 'registry'],
    ['/r/.git/hooks/pre-commit', 'git'],
    ['/home/a/.local/state/guard/x', 'state'],
    ['/dotfiles/any-name', 'user_config'],
    ['/dotfiles/guard-hook', 'launcher'],
    ['/r/roles/reviewer.md', 'roles'],
    ['/opt/guard/dist/hook.cjs', 'program'],
  ])('%s where it is there: %s', (real, place) => {
    expect(at(real, place)).not.toBeNull();
    expect(at(real)).toBeNull();
  });

  it.each(['/r/src/guard.ts', '/r/dist/index.js', '/r/docs/settings.md', '/r/.gitignore', '/r/package.json'])(
    'no ordinary one: %s',
    (real) => {
      expect(at(real)).toBeNull();
    },
  );

  it('places are not looked for where no name lets them matter', () => {
    const asked: ProtectedPlace[] = [];
    whyProtected({ real: '/r/src/x.ts', abs: '/r/src/x.ts', isAt: (place) => (asked.push(place), false) });
    expect(asked).not.toContain('program');
    expect(asked).not.toContain('state');
    expect(asked).not.toContain('registry');
  });

  it('also by the name that a link to it has', () => {
    const file = { real: '/elsewhere/x', abs: '/r/.claude/guard-hook.cjs', isAt: () => false };
    expect(whyProtected(file)).toContain('starts guard');
  });
});

describe('git alone writes', () => {
  it.each([
    ['/r/.git/config', [], true],
    ['/r/.git/refs/heads/main', [], true],
    ['/r/.git/worktrees/w/HEAD', [], true],
    ['/bare.git/index.lock', ['/bare.git'], true],
    ['/r/.git/COMMIT_EDITMSG', [], false],
    ['/r/.git/info/exclude', [], false],
    ['/bare.git/config', [], false],
  ])('%s with git directories %j: %s', (real, dirs, is_gits) => {
    expect(isGits({ real, abs: real }, dirs)).toBe(is_gits);
  });
});
