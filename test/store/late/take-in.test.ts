/** Ends that came too late to be recorded right away: each is in the ledger once, before anything new is decided. */
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { GuardError } from '../../../src/core/error.ts';
import type { AgentState, ProcessMark } from '../../../src/core/types.ts';
import { readNow } from '../../../src/repo/clock.ts';
import { adoptCopy } from '../../../src/store/embedded/adopt.ts';
import { leaveLate } from '../../../src/store/late/leave-late.ts';
import { takeIn } from '../../../src/store/late/take-in.ts';
import { openStore } from '../../../src/store/open.ts';
import { operate } from '../../../src/store/operate.ts';
import { alone } from '../../../src/store/upkeep.ts';
import { failure } from '../kit.ts';
import { withDir } from '../scratch.ts';
import { BUSY, type Ledger, onLedger, onlyFile, OTHER, over, present, takenIn, WRITE } from './on-ledger.ts';
import { agentNamed, factsAt, writeOf } from './writing.ts';

describe('the end of a write that could not be written down', () => {
  test('is answered as its rule answers it, and is on record before the next write is judged', () =>
    onLedger((at) => {
      at.run(WRITE.begin(0));
      expect(at.leave(WRITE.end)).toMatchObject([
        { path: 'f', known: true, raced: false, unapproved: false },
      ]);
      expect(at.types()).toEqual(['agent.join', 'intent']);
      const { touched } = at.path('f');
      // Its intent was still open for a transaction that looked before.
      expect(at.run(OTHER.begin(touched))).toEqual({ verdict: 'retry' });
      expect(at.path('f')).toMatchObject({
        intent: null,
        last_write: { agent: 'a', op: 'op-1', digest: 'sha-op-1' },
      });
      expect(at.run(OTHER.begin(at.path('f').touched))).toMatchObject({ verdict: 'approved' });
      expect(at.types()).toEqual(['agent.join', 'intent', 'write', 'agent.join', 'intent']);
    }));

  test.each([
    ['while another step runs', () => undefined],
    [
      'while another step runs under the lock, after it took in what was there',
      (at: Ledger) => at.leave(over('c')),
    ],
  ])('is on record before that step may find its process dead: left %s', (_when, before) =>
    onLedger((at) => {
      const proc = { pid: 1, start: '1', boot: readNow().boot, pid_ns: '', machine: 'here' };
      const write = writeOf({ agent: 'a', op: 'op-1', path: 'f', proc });
      at.run(present('c'));
      at.run(write.begin(0));
      before(at);
      let deaths = 0;
      const isDead = (): boolean => {
        if (deaths++ === 0) at.leave(write.end, { by: openStore({ dir: at.dir, now: readNow }) });
        return true;
      };
      const seen = { ...factsAt(readNow()), isDead };
      expect(operate(at.store, OTHER.begin(at.path('f').touched), seen)).toEqual({ verdict: 'retry' });
      expect(deaths).toBeGreaterThan(0);
      expect(at.types().filter((type) => /^(?:write|bypass|intent)$/.test(type))).toEqual([
        'intent',
        'write',
      ]);
      expect(existsSync(at.late)).toBe(false);
    }),
  );

  test('says when it happened, and is dated when it is written', () =>
    onLedger((at) => {
      at.run(WRITE.begin(0));
      const then = { ...readNow(), wall_ms: Date.UTC(2020, 0, 1) };
      at.leave(WRITE.end, { now: then });
      takenIn(at);
      const [write] = [...at.store.scan()].filter(({ type }) => type === 'write');
      expect(write).toMatchObject({ happened_at: '2020-01-01T00:00:00.000Z', original: 'same' });
      const dates = [...at.store.scan()].map(({ ts }) => ts);
      expect(dates).toEqual([...dates].sort());
    }));

  test.each(['ACCESS', 'AWAY', 'RESTORED', 'VERSION'] as const)(
    'is kept if a shared ledger fails with GUARD_ERR_ENGINE_%s',
    (why) =>
      onLedger((at) => {
        at.run(WRITE.begin(0));
        const error = new GuardError(`GUARD_ERR_ENGINE_${why}`, 'No.', 'Wait.');
        expect(at.leave(WRITE.end, { error })).toMatchObject([{ path: 'f', unapproved: false }]);
        expect(readdirSync(at.late)).toHaveLength(1);
      }),
  );

  test('counts once, however often it is left and taken in', () =>
    onLedger((at) => {
      at.run(WRITE.begin(0));
      at.leave(WRITE.end, { id: 'r.write.end.1' });
      at.leave(WRITE.end, { id: 'r.write.end.1' });
      expect(readdirSync(at.late)).toHaveLength(1);
      const [kept, file] = [`${at.dir}/kept`, onlyFile(at)];
      copyFileSync(file, kept);
      takenIn(at);
      // As if its process had died between the commit and the removal.
      mkdirSync(at.late, { mode: 0o700 });
      renameSync(kept, file);
      takenIn(at);
      expect(at.types().filter((type) => type === 'write')).toHaveLength(1);
    }));

  test('that another write of its agent follows ends nothing of that one', () =>
    onLedger((at) => {
      at.run(WRITE.begin(0));
      at.leave(WRITE.end);
      const next = writeOf({ agent: 'a', op: 'op-3', path: 'g' });
      at.run(next.begin(0));
      expect(at.agent('a')?.op).toMatchObject({ id: 'op-3' });
      expect(at.path('f').intent).toBeNull();
    }));

  test('is kept where the disk is full, and not where trying again is for the caller or the ledger is damaged', () =>
    onLedger((at) => {
      at.run(WRITE.begin(0));
      const failed = (code: 'GUARD_ERR_FULL' | 'GUARD_ERR_CORRUPT') => new GuardError(code, 'x', 'y');
      expect(failure(() => at.leave(WRITE.end, { error: failed('GUARD_ERR_CORRUPT') })).code).toBe(
        'GUARD_ERR_CORRUPT',
      );
      expect(failure(() => at.leave(present('a'))).code).toBe('GUARD_ERR_BUSY');
      const soon = { state_dir: at.dir, store: at.store, id: undefined, lock_deadline_ms: 25 };
      const again = () => leaveLate(BUSY, { ...soon, event: WRITE.end, facts: factsAt(readNow()) });
      expect(failure(again).code).toBe('GUARD_ERR_BUSY');
      const whatever = { type: 'op.end', who: agentNamed('a'), ops: null } as const;
      expect(failure(() => at.leave(whatever)).code).toBe('GUARD_ERR_BUSY');
      expect(existsSync(at.late)).toBe(false);
      at.leave(WRITE.end, { error: failed('GUARD_ERR_FULL') });
      expect(readdirSync(at.late)).toHaveLength(1);
    }));
});

describe('several that came late', () => {
  test('are written down in the order in which they were left, not by name', () =>
    onLedger((at) => {
      const ops = Array.from({ length: 12 }, (_, n) => writeOf({ agent: 'a', op: `op-${n}`, path: `f${n}` }));
      for (const { end } of ops) at.leave(end);
      at.leave(over('a'));
      takenIn(at);
      const told = [...at.store.scan()].flatMap(({ type, op }) => (type === 'bypass' ? [op] : []));
      expect(told).toEqual(ops.map(({ op }) => op));
      expect(at.types().slice(-2)).toEqual(['turn', 'agent.join']);
    }));

  test('are at most a thousand: the next one fails as before', () =>
    onLedger((at) => {
      at.run(present('a'));
      at.leave(over('a'));
      for (let n = 1; n < 1_000; n++) writeFileSync(`${at.late}/${n}`, '');
      expect(failure(() => at.leave(over('a'))).code).toBe('GUARD_ERR_BUSY');
      expect(readdirSync(at.late)).toHaveLength(1_000);
    }));
});

describe('a life that began anew meanwhile', () => {
  const mark = (pid: number): ProcessMark => ({ pid, start: '1', boot: 'b', pid_ns: 'n', machine: 'm' });

  test('is not ended by the late end of the one before, whose write is on record all the same', () =>
    onLedger((at) => {
      const before = agentNamed('a', mark(1));
      const leave = { type: 'agent.leave', who: before, reason: 'session_end:other' } as const;
      at.leave(leave);
      at.leave({ ...WRITE.end, who: before });
      // A transaction that looked before the file was there comes first.
      renameSync(at.late, `${at.dir}/aside`);
      at.run(present('a', mark(2)));
      const begun = at.agent('a');
      renameSync(`${at.dir}/aside`, at.late);
      takenIn(at);
      expect(at.agent('a')).toMatchObject({ live: true, proc: { pid: 2 }, epoch: begun?.epoch });
      expect(at.path('f').last_write).toMatchObject({ agent: 'a', op: 'op-1' });
    }));

  test('by a boot of the machine', () =>
    onLedger((at) => {
      at.leave(over('a'), { now: { ...readNow(), boot: 'another' } });
      renameSync(at.late, `${at.dir}/aside`);
      at.run({ type: 'turn.start', who: agentNamed('a') });
      renameSync(`${at.dir}/aside`, at.late);
      takenIn(at);
      expect(at.agent('a')).toMatchObject({ live: true, in_turn: 2 });
    }));
});

test('what nobody can look at is kept all the same, and the failure says so', () =>
  onLedger((at) => {
    // Destroys what the ledger remembers.
    writeFileSync(`${at.dir}/index`, 'x');
    alone(at.dir, () => {
      const told = failure(() => at.leave(over('a')));
      expect([told.code, told.facts['kept']]).toEqual(['GUARD_ERR_BUSY', true]);
    });
    expect(readdirSync(at.late)).toHaveLength(1);
  }));

test('what was left beside the ledger that this one is a copy of ends nothing here', () =>
  withDir((copy) =>
    onLedger((at) => {
      at.run({ type: 'turn.start', who: agentNamed('a') });
      at.leave(over('a'));
      cpSync(at.dir, copy, { recursive: true, preserveTimestamps: true });
      const leaps = { highest: () => 0, reserve: () => undefined };
      expect(adoptCopy(copy, { now: readNow, leaps, voids: () => undefined })).toBeDefined();
      const store = openStore({ dir: copy, now: readNow, takeIn });
      operate(store, present('b'), factsAt(readNow()));
      expect([...store.scan()].filter(({ phase }) => phase === 'end')).toEqual([]);
      expect([existsSync(`${copy}/late`), readdirSync(`${copy}/late-unread`)]).toEqual([
        false,
        readdirSync(at.late),
      ]);
      takenIn(at);
      expect([...at.store.scan()].filter(({ phase }) => phase === 'end')).toHaveLength(1);
    }),
  ));

test('what is answered names no commit that is still to come', () =>
  onLedger((at) => {
    at.run(present('z'));
    expect(Number.isInteger((at.leave(over('a')) as AgentState).joined_lsn)).toBe(true);
  }));
