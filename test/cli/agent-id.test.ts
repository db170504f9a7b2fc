import { describe, expect, it } from 'vitest';
import { agentName } from '../../src/cli/agent-id.ts';

const SID = '56a716d6-1305-402a-99af-7a68b92501a0';
const IN_SESSION = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: SID };
const name = (given: string | undefined, env: Record<string, string>) =>
  agentName(given, env, () => 'me@here:pts-1');
const codeOf = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe('whose command it is, outside Claude Code', () => {
  it.each([
    ['--agent', 'bd-43', { GUARD_AGENT_ID: 'b', INTERLOCK_AGENT_ID: 'c' }, 'bd-43', 'option'],
    [
      'GUARD_AGENT_ID',
      undefined,
      { GUARD_AGENT_ID: 'b', INTERLOCK_AGENT_ID: 'c', INTERMUTE_AGENT_ID: 'd' },
      'b',
      'variable',
    ],
    ['INTERLOCK_AGENT_ID', undefined, { INTERLOCK_AGENT_ID: 'c', INTERMUTE_AGENT_ID: 'd' }, 'c', 'variable'],
    ['INTERMUTE_AGENT_ID', undefined, { INTERMUTE_AGENT_ID: 'd' }, 'd', 'variable'],
    ['the person', undefined, {}, 'me@here:pts-1', 'person'],
    [
      'the person, where variables are empty',
      undefined,
      { GUARD_AGENT_ID: '', INTERLOCK_AGENT_ID: '' },
      'me@here:pts-1',
      'person',
    ],
  ])('%s decides', (_what, given, env, id, from) => {
    expect(name(given, env)).toEqual({ id, from });
  });
});

describe('whose command it is, in a session', () => {
  it('is the session, whatever other tools call it', () => {
    expect(name(undefined, { ...IN_SESSION, INTERLOCK_AGENT_ID: 'c' })).toEqual({
      id: `claude-${SID}`,
      from: 'session',
    });
    expect(name(undefined, { CLAUDE_SESSION_ID: SID })).toEqual({ id: `claude-${SID}`, from: 'session' });
  });

  it("has the client's own variable win over the older one, and empty ones count for nothing", () => {
    expect(name(undefined, { CLAUDE_CODE_SESSION_ID: SID, CLAUDE_SESSION_ID: 'old' }).id).toBe(
      `claude-${SID}`,
    );
    expect(name(undefined, { CLAUDE_CODE_SESSION_ID: '', CLAUDE_SESSION_ID: SID }).id).toBe(`claude-${SID}`);
    expect(name(undefined, { CLAUDE_SESSION_ID: '', INTERMUTE_AGENT_ID: 'd' }).id).toBe('d');
  });

  it.each([`claude-${SID}`, `claude-${SID}/a314b105b2ad374f7`, `claude-${SID}~2`, `claude-${SID}~2/sub`])(
    'may be said to be %s',
    (id) => {
      expect(name(id, IN_SESSION).id).toBe(id);
      expect(name(undefined, { ...IN_SESSION, GUARD_AGENT_ID: id }).id).toBe(id);
    },
  );

  it.each([
    'bd-43',
    'claude-other',
    `claude-${SID}x`,
    `claude-${SID}~x`,
    `claude-${SID}/`,
    `x-claude-${SID}`,
    'me@here:pts-1',
  ])('may not be said to be %s', (id) => {
    expect(codeOf(() => name(id, IN_SESSION))).toBe('GUARD_ERR_USAGE');
    expect(codeOf(() => name(undefined, { ...IN_SESSION, GUARD_AGENT_ID: id }))).toBe('GUARD_ERR_USAGE');
  });

  it('must be given if the client does not reveal it (2.1.100 and older)', () => {
    expect(codeOf(() => name(undefined, { CLAUDECODE: '1', INTERLOCK_AGENT_ID: 'c' }))).toBe(
      'GUARD_ERR_USAGE',
    );
    expect(name('claude-x/y', { CLAUDECODE: '1' }).id).toBe('claude-x/y');
  });
});

describe('whose command it is, in another host that a session started', () => {
  const env = { ...IN_SESSION, CODEX_THREAD_ID: 't' };
  it('is not the session around that host, but the one that host names', () => {
    expect(name(undefined, env)).toEqual({ id: 'codex-t', from: 'variable' });
    expect(name('codex-7', env)).toEqual({ id: 'codex-7', from: 'option' });
    expect(name(undefined, { ...IN_SESSION, GEMINI_CLI: '1', INTERLOCK_AGENT_ID: 'c' }).id).toBe('c');
  });

  it('may be said to be that session, as both may be around each other, and no other one', () => {
    expect(name(`claude-${SID}`, env).id).toBe(`claude-${SID}`);
    for (const other of ['claude-other', 'CLAUDE-other'])
      expect(codeOf(() => name(other, env))).toBe('GUARD_ERR_USAGE');
  });
});

describe('not an agent id', () => {
  it.each([
    '',
    ' ',
    'a b',
    'a\nb',
    '/a',
    'a/',
    'a//b',
    '..',
    'a/../b',
    './a',
    'a\u0000',
    'é',
    'x'.repeat(201),
    '$(id)',
  ])('%j', (id) => {
    expect(codeOf(() => name(id, {}))).toBe('GUARD_ERR_USAGE');
  });

  it.each(['a', 'a..b', '.a', 'me@host.example:pts-1', 'claude-x/y', 'x'.repeat(200)])(
    'but %j is one',
    (id) => {
      expect(name(id, {}).id).toBe(id);
    },
  );
});
