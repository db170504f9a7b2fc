import { describe, expect, it } from 'vitest';
import {
  callerOfTool,
  forgedBecause,
  isOfDraft,
  mayBeBeside,
  mayBeMarked,
  mayBeNamed,
  notForHttp,
  readableBy,
  speakerOf,
  surroundingsOf,
} from '../../src/core/speakers.ts';

const HOOK = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'a', CLAUDE_PROJECT_DIR: '/repo' };
const BASH = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'a' };
const forged = (session: string, env: Record<string, string>) =>
  forgedBecause({ session }, surroundingsOf(env));

describe('an event', () => {
  it.each([
    ['of the session around the hook', 'a', HOOK, null],
    ['of another session', 'b', HOOK, 'other_session'],
    ['of another session, sent by a command', 'b', BASH, 'other_session'],
    ['of its own session, sent by a command', 'a', BASH, 'no_hook'],
    ['of its own session, in another case', 'A', HOOK, 'other_session'],
  ])('%s', (_, session, env, why) => {
    expect(forged(session, env)).toBe(why);
  });

  it.each([
    ['no session in the environment (up to 2.1.100)', 'b', { CLAUDECODE: '1' }],
    ['an empty one', 'b', { ...HOOK, CLAUDE_CODE_SESSION_ID: '' }],
    ['no session in the event', '', HOOK],
    ['a session in the environment and nothing else of Claude', 'a', { CLAUDE_CODE_SESSION_ID: 'a' }],
    ['a host inside of the session: Codex', 'b', { ...BASH, CODEX_THREAD_ID: 't' }],
    ['Qwen', 'b', { ...BASH, QWEN_CODE_SESSION_ID: 't' }],
    ['Gemini', 'b', { ...HOOK, GEMINI_CLI: '1' }],
    ['Copilot', 'b', { ...HOOK, COPILOT_CLI: '1' }],
    ['opencode', 'b', { ...BASH, OPENCODE: '1' }],
    ['nothing at all', 'b', {}],
  ])('is not judged with %s', (_, session, env) => {
    expect(forged(session, env)).toBeNull();
  });
});

describe('a command in a session', () => {
  const main = 'claude-a';
  it.each([
    ['alone', { marked: null, is_marking: false, claimed: null }, main, null],
    ['alone, saying so', { marked: null, is_marking: false, claimed: main }, main, null],
    ['alone, naming a subagent', { marked: null, is_marking: false, claimed: `${main}/x` }, main, 'other'],
    [
      'alone, naming a second process',
      { marked: null, is_marking: false, claimed: `${main}~2` },
      main,
      'other',
    ],
    ['with subagents, unmarked', { marked: null, is_marking: true, claimed: null }, null, 'unmarked'],
    [
      'with subagents, unmarked, naming one',
      { marked: null, is_marking: true, claimed: main },
      null,
      'unmarked',
    ],
    ['marked as main', { marked: main, is_marking: true, claimed: null }, main, null],
    ['of a subagent', { marked: `${main}/x`, is_marking: true, claimed: `${main}/x` }, `${main}/x`, null],
    [
      'of a subagent for its parent',
      { marked: `${main}/x`, is_marking: true, claimed: main },
      `${main}/x`,
      'other',
    ],
    [
      'of a subagent for a sibling',
      { marked: `${main}/x`, is_marking: false, claimed: `${main}/y` },
      `${main}/x`,
      'other',
    ],
  ])('%s', (_, said, id, refused) => {
    expect(speakerOf({ main, ...said })).toEqual({ id, refused });
  });
});

describe('a call of a tool', () => {
  const call = { signed: null, has_claim: false, fixed: null, is_in_claude: true, only_looks: false };
  it.each([
    ['signed', { ...call, signed: 'claude-a', has_claim: true }, { id: 'claude-a' }],
    ['with a name that nobody signed', { ...call, has_claim: true }, 'unsigned'],
    ['the same outside of Claude', { ...call, has_claim: true, is_in_claude: false }, 'unsigned'],
    ['the same on a server with a name', { ...call, has_claim: true, fixed: 'x' }, 'unsigned'],
    ['without a name in a session', call, 'unsigned'],
    ['without a name in a session, only looking', { ...call, only_looks: true }, 'served'],
    ['without a name in another host', { ...call, is_in_claude: false }, 'served'],
    ['without a name on a server that has one', { ...call, is_in_claude: false, fixed: 'x' }, { id: 'x' }],
  ])('%s', (_, given, speaker) => {
    expect(callerOfTool(given)).toEqual(speaker);
  });
});

it('below a drafted agent everybody but its own subagents and processes is that agent', () => {
  expect(
    ['claude-d', 'claude-d/x', 'claude-d~2', 'claude-d~2/x'].map((id) => isOfDraft(id, 'claude-d')),
  ).toEqual([true, true, true, true]);
  expect(['claude-dd', 'me@host:1', 'claude-e/claude-d'].map((id) => isOfDraft(id, 'claude-d'))).toEqual([
    false,
    false,
    false,
  ]);
});

describe('a name over HTTP', () => {
  it.each([
    ['bob', [], false, null],
    ['bob', ['bob'], false, null],
    ['me@host:pts-1', [], true, 'person'],
    ['claude-not-yet', [], false, 'session'],
    ['CLAUDE-a', [], false, 'session'],
    ['CLAUDE-a', ['claude-a'], true, 'twin'],
    ['Bob', ['bob'], false, 'twin'],
    ['claude-a', ['claude-a'], true, null],
  ] as const)('%s beside %j, sessions too: %s', (id, known, too, why) => {
    const here = known.map((one) => ({ id: one, name: null }));
    expect(notForHttp(id, { is_shadow: false, here, has_own: false }, too)).toBe(why);
  });

  it.each([
    ['of another lock server', { is_shadow: true }, true, 'shadow'],
    ['another agent’s name', { here: [{ id: 'a', name: 'bob' }] }, true, 'name'],
    ['with a process of its own', { has_own: true }, false, 'own'],
    ['with a process of its own, where sessions may be claimed', { has_own: true }, true, null],
  ] as const)('%s', (_, known, too, why) => {
    expect(notForHttp('bob', { is_shadow: false, here: [], has_own: false, ...known }, too)).toBe(why);
  });
});

describe('a name given to a command', () => {
  it.each([
    ['claude-a', true],
    ['claude-a~2', true],
    ['claude-a/sub-1', true],
    ['claude-a~2/sub-1', true],
    ['claude-ab', false],
    ['claude-b', false],
    ['bob', false],
  ])('%s in session a: %s', (id, may_be) => {
    expect(mayBeNamed({ id, around: { session: 'a', is_mixed: false } })).toBe(may_be);
    expect(mayBeNamed({ id, around: { session: null, is_mixed: false } })).toBe(true);
  });

  it('beside another host’s variables only names of Claude Code are compared', () => {
    const around = { session: 'a', is_mixed: true };
    expect(mayBeNamed({ id: 'codex-b', around })).toBe(true);
    expect(mayBeNamed({ id: 'Claude-b', around })).toBe(false);
  });

  it.each([
    ['codex-b', 'claude-a', true],
    ['claude-a~2', 'claude-a', true],
    ['claude-a~2/sub', 'claude-a/sub', true],
    ['CLAUDE-b', 'claude-a', false],
    ['claude-b', null, true],
  ])('%s below another client inside of %s: %s', (id, around, may_be) => {
    expect(mayBeBeside(id, around)).toBe(may_be);
  });

  it('is no other than the mark’s', () => {
    expect([mayBeMarked('a', ''), mayBeMarked('a', 'a'), mayBeMarked('a', 'b')]).toEqual([true, true, false]);
  });
});

describe('a thread', () => {
  const letter = (from: string, ...to: string[]) => ({ from, to });
  const thread = [letter('a', 'b'), letter('b', 'a'), letter('a', 'c')];
  it('is read by who began it and whom they wrote to, and by people', () => {
    for (const reader of ['a', 'b', 'c', 'me@host:pts-1']) expect(readableBy(thread, reader)).toEqual(thread);
    expect(readableBy(thread, 'd')).toEqual([]);
    expect(readableBy([], 'd')).toEqual([]);
  });

  it('does not open to who writes into it uninvited, nor to whom that one writes', () => {
    const intruded = [...thread, letter('d', 'a'), letter('d', 'e')];
    expect(readableBy(intruded, 'd')).toEqual(intruded.slice(3));
    expect(readableBy(intruded, 'e')).toEqual(intruded.slice(4));
    expect(readableBy([...intruded, letter('a', 'd')], 'd')).toHaveLength(6);
  });
});
