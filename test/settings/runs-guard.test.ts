import { describe, expect, it } from 'vitest';
import { absoluteHookCommand, failClosed, PROJECT_HOOK_COMMAND } from '../../src/install/command.ts';
import { runsGuard } from '../../src/settings/runs-guard.ts';

const BARE = 'NODE_EXTRA_CA_CERTS= ';

describe('a hook line of settings', () => {
  it.each([
    ['as init writes it for a project', failClosed(PROJECT_HOOK_COMMAND)],
    ['as guard 0.1 wrote it', 'node "$CLAUDE_PROJECT_DIR"/.claude/guard-hook.cjs || exit 2'],
    ['as init writes it for a user', failClosed(absoluteHookCommand('/usr/bin/node', '/opt/guard'))],
    ['by a Node whose directory has an equals sign', '/opt/a=b/node /opt/guard/dist/hook.cjs guard'],
    ['with blanks around it', `  ${BARE}node .claude/guard-hook.cjs\n`],
  ])('guards %s', (_, line) => {
    expect(runsGuard(line)).toBe(true);
  });

  it.each([
    ['that assigns what looks like a Node', 'A=/bin/node /x/dist/hook.cjs guard'],
    ['that assigns so behind the empty certificates', `${BARE}A=/bin/node /x/dist/hook.cjs guard`],
    ['that adds to a variable', 'A+=/bin/node /x/dist/hook.cjs guard'],
    ['that gives Node an option', 'node --require=/x/dist/hook.cjs guard'],
    ['that gives Node an option in quotes', "node '-r/x/dist/hook.cjs' guard"],
    ['that begins with a blank of no shell', '\u00a0node .claude/guard-hook.cjs'],
    ['that ends with a blank of no shell', 'node .claude/guard-hook.cjs\u2003'],
    ['that ends with a carriage return', 'node .claude/guard-hook.cjs\r'],
    ['that names certificates', 'NODE_EXTRA_CA_CERTS=x node .claude/guard-hook.cjs'],
    ['that names them twice', `${BARE}${BARE}node -e 0 .claude/guard-hook.cjs`],
    ['that sets other variables of Node', 'NODE_OPTIONS= node .claude/guard-hook.cjs'],
  ])('does not guard %s', (_, line) => {
    expect(runsGuard(line)).toBe(false);
  });
});
