import { createColors } from 'picocolors';
import { describe, expect, it, test } from 'vitest';
import { logLines, NO_NAMES } from '../../../src/cli/view/log-line.ts';
import { RECORD_SENTENCES } from '../../../src/cli/view/record-sentences.ts';
import type { LedgerRecord } from '../../../src/core/ledger.ts';
import { RECORD_TYPES } from '../../../src/core/record-types.ts';
import { SILENT_SHELL } from '../silent-shell.ts';

/** As guard sends it. */
const REQUEST = { subject: 'release-request', body: '{"type":"release-request","file":"a.ts"}' };

const NOON = new Date(2026, 0, 31, 12, 0, 5);
const NAMES = { tip: 10, names: new Map([['claude-1', 'zed']]) };

const record = (type: string, facts: Partial<LedgerRecord> = {}): LedgerRecord => ({
  ...{ v: 1, id: 'x', ts: NOON.toISOString(), agent: 'claude-1', s: {}, prev: '', lsn: 1, crc: '' },
  ...facts,
  type,
});
const what = (type: string, facts: Partial<LedgerRecord> = {}): string =>
  logLines(SILENT_SHELL, NAMES)(record(type, facts)).replace('2026-01-31 12:00:05  zed ', '');

const LINES: readonly (readonly [string, Partial<LedgerRecord>, string])[] = [
  ['ack', { message: 'm-9', from: 'amy' }, 'acknowledged message m-9 from amy'],
  ['agent.describe', { name: 'zed', status: 'writes tests' }, 'described itself (writes tests)'],
  ['agent.join', { how: 'joined', kind: 'session', context: 'own', pid: null }, 'joined'],
  ['agent.join', { how: 'joined', kind: 'subagent' }, 'joined as a subagent'],
  ['agent.join', { how: 'returned', kind: 'session' }, 'came back'],
  ['agent.leave', { reason: 'subagent_stop' }, 'left (subagent_stop)'],
  [
    'bypass',
    { what: 'off', until: new Date(NOON.getTime() + 600_000).toISOString() },
    'switched guard off for 10m',
  ],
  ['bypass', { what: 'off' }, 'switched guard off'],
  ['bypass', { path: 'a.ts' }, 'wrote a.ts without approval'],
  ['bypass', { what: 'constructor', path: 'a.ts' }, 'wrote a.ts without approval'],
  ['call', { phase: 'begin', tool: 'Bash' }, 'began a long call of Bash'],
  ['command.end', { paths: ['a.ts'] }, 'finished a command that writes a.ts'],
  ['deadlock', { victim: 'claude-1', release: ['a.ts'] }, 'found a deadlock: zed must release a.ts'],
  ['deadlock', { victim: 'amy', release: [] }, 'found a deadlock: amy must stop waiting'],
  ['draft', { phase: 'begin', role: 'tester', drafted_by: 'amy' }, 'was started as tester by amy'],
  ['draft', { phase: 'settle', how: 'merged', into: 'main' }, 'had its worktree merged into main'],
  ['drift', { path: 'a.ts', author: 'outside', agents: [] }, 'noticed that a.ts was changed outside guard'],
  [
    'drift',
    { path: 'a.ts', author: 'parsed', agents: ['amy'] },
    'noticed that a command of amy changed a.ts',
  ],
  [
    'escalate',
    { from: 'claude-1', to: 'amy', file: 'a.ts', age_minutes: 5 },
    'noted that zed has waited 5 minutes for an answer from amy about a.ts',
  ],
  [
    'event.forged',
    { event: 'PreToolUse', claimed: 'amy' },
    'sent a forged PreToolUse event, which was ignored (it claimed to be amy)',
  ],
  ['exit', { status: 'failed', reason: 'api_error' }, 'ended: failed (api_error)'],
  ['hold', { paths: ['a.ts'], mode: 'exclusive', token: 4 }, 'locked a.ts'],
  ['hold', { paths: ['a', 'b', 'c', 'd', 'e'], mode: 'shared' }, 'locked a, b, c and 2 more (shared)'],
  ['hold', { reservations: ['r-1'], patterns: ['src/**'], reason: 'split' }, 'reserved src/** (split)'],
  [
    'hook.added',
    { event: 'Stop', file: 's.json', command: 'x\u001b[2J' },
    'added a Stop hook to s.json: x\\x1b[2J',
  ],
  ['intent', { paths: ['a.ts', 'b.ts'], tool: 'Edit' }, 'may write a.ts and b.ts'],
  ['ledger.archive_cut', { segments: [{ first: 1, end: 9 }] }, 'deleted 1 archived segment'],
  ['ledger.carry', { s: { 'x:1': 1, 'x:2': 2 } }, 'carried over 2 states'],
  ['ledger.closed', {}, 'closed this ledger, which another one replaced'],
  ['ledger.compact', { first: 900 }, 'compacted the ledger: it now begins at lsn 900'],
  ['ledger.copied', {}, 'adopted a copy of the ledger; the locks in it ended'],
  ['ledger.cut', { file: 'l', bytes: 7, cause: 'torn' }, 'cut 7 bytes off the end of l (torn)'],
  ['ledger.index', {}, 'added index keys that an older version had not written'],
  ['machine.beat', { machine: 'm1' }, 'heard from machine m1'],
  ['machine.leave', { machine: 'm1' }, 'removed machine m1 and released all that its agents held'],
  ['message', { message: 'm-1', to: ['amy'], kind: 'message' }, 'wrote to amy'],
  [
    'message',
    { message: 'm-1', to: ['amy'], kind: 'release-request', s: { 'message:m-1': REQUEST } },
    'asked amy for a release: a.ts',
  ],
  ['prefer', { block: ['amy'], follow: ['ci'] }, 'changed which messages it receives (block amy, follow ci)'],
  ['promise', { paths: ['a.ts'], by: 'amy' }, 'is next in line for a.ts, which amy released'],
  ['read', { messages: ['m-1', 'm-2'] }, 'read 2 messages'],
  ['release', { paths: ['a.ts'] }, 'released a.ts'],
  ['release', { all: true, s: { 'path:a.ts': null } }, 'released everything it held'],
  ['renew', {}, 'is still active'],
  ['renew', { patterns: ['src/**'] }, 'extended its reservation of src/**'],
  ['revoke', { path: 'a.ts', to: 'amy', cause: 'idle' }, 'lost its lock on a.ts to amy (idle)'],
  ['told', { messages: ['m-1'], freed: ['a.ts'] }, 'saw 1 message and learned of the release of a.ts'],
  ['turn', { phase: 'start', turn: 3 }, 'began a turn'],
  ['unwait', { paths: ['a.ts'], cause: 'timeout' }, 'stopped waiting for a.ts (timed out)'],
  [
    'wait',
    { path: 'a.ts', kind: 'wait', holders: ['claude-1'], mode: 'exclusive' },
    'is waiting for a.ts (held by zed)',
  ],
  ['wait', { path: 'a.ts', kind: 'wanted', holders: ['amy'] }, 'could not lock a.ts (held by amy)'],
  ['wait', { kind: 'wait', for: 'amy' }, 'is waiting for amy to finish'],
  ['worktree.removed', { worktree: 'w1' }, 'removed the worktree w1'],
  ['write', { path: 'a.ts', content: 'as_expected' }, 'wrote a.ts'],
  ['write.raced', { path: 'a.ts' }, 'overwrote a.ts, which had changed after the approval'],
  [
    'write.rejected',
    { paths: ['a.ts'], denial: { error_type: 'STALE_FILE' } },
    'was denied a write to a.ts (STALE_FILE)',
  ],
];

describe('a line of guard log', () => {
  it.each(LINES)('%s %j', (type, facts, line) => {
    expect(what(type, facts)).toBe(line);
  });

  test('there is a sentence for every type of record, and a line for it here', () => {
    expect(Object.keys(RECORD_SENTENCES).sort()).toEqual([...RECORD_TYPES].sort());
    expect([...new Set(LINES.map(([type]) => type))].sort()).toEqual([...RECORD_TYPES].sort());
  });

  it('of a type that is not known has the type and all facts', () => {
    expect(what('later', { color: 'blue' })).toBe(`${NOON.toISOString()}  later  claude-1  color=blue`);
  });

  it('has the date where the day changes', () => {
    const line = logLines(SILENT_SHELL, NO_NAMES);
    const at = (day: number) =>
      line(record('turn', { phase: 'start', ts: new Date(2026, 1, day).toISOString() }));
    expect([at(1), at(1), at(2)]).toEqual([
      '2026-02-01 00:00:00  claude-1 began a turn',
      '           00:00:00  claude-1 began a turn',
      '2026-02-02 00:00:00  claude-1 began a turn',
    ]);
  });

  it('follows a change of name only from where the names were read', () => {
    const line = logLines(SILENT_SHELL, NAMES);
    const named = (lsn: number) =>
      line(record('agent.describe', { lsn, s: { 'profile:claude-1': { name: 'bob', status: '' } } }));
    expect([named(9), named(10)]).toEqual([
      expect.stringContaining('zed described'),
      expect.stringContaining('bob described'),
    ]);
  });

  it('is coloured only for a terminal', () => {
    const shell = { ...SILENT_SHELL, color: createColors(true) };
    const denied = record('write.rejected', { paths: ['a.ts'] });
    expect(logLines(shell, NAMES)(denied)).toContain('\u001b[31mwas denied');
    expect(logLines(SILENT_SHELL, NAMES)(denied)).not.toContain('\u001b');
  });
});
