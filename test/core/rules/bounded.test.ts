/** What a rule lists in a ledger with many agents: its own entries or the newest few, never every agent or path. */
import { describe, expect, it } from 'vitest';
import { decide, type EventOf, type EventType } from '../../../src/core/decide.ts';
import type { View } from '../../../src/core/ledger.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import { judgeAmong } from '../../../src/core/rules/among-machines.ts';
import { transact } from '../../../src/store/transact.ts';
import { Fleet, type Machine } from '../fleet.ts';

const MANY = 60;

/** Every second agent holds a file, waits for the next agent's file and has reserved something. */
function crowd() {
  const fleet = new Fleet();
  const [A, B] = [fleet.machine('m-a'), fleet.machine('m-b')];
  const all = Array.from({ length: MANY }, (_, n) => {
    const at = n % 2 === 0 ? A : B;
    return { at, who: at.session(`n${n}`, 100 + n) };
  });
  for (const [n, { at, who }] of all.entries()) {
    at.lock(who, `src/${n}`);
    if (n % 4 === 0) at.wait(who, `src/${n + 1}`);
    if (n < 20) at.reserve(who, `lib/${n}/**`, 600_000);
  }
  return { fleet, A, B, a: A.session('a', 1), b: B.session('b', 2) };
}

/** What one event lists: the class of keys, and whether it lists the whole class. */
function listedBy<T extends EventType>(fleet: Fleet, at: Machine, event: EventOf<T>): string[] {
  const listed = new Set<string>();
  transact(fleet.store, (view) =>
    judgeAmong({ ...spied(view, listed), now: view.now }, event, at.facts, decide<T>),
  );
  return [...listed].sort();
}

const spied = (view: View, listed: Set<string>): View => ({
  ...view,
  range(prefix, since, most) {
    listed.add(`${prefix}${most ? ` newest ${most}` : ''}`);
    return view.range(prefix, since, most);
  },
});

const lock = (who: Who, paths: readonly string[], until: number | null = null): EventOf<'lock.acquire'> => ({
  ...{ type: 'lock.acquire', who, paths, mode: 'exclusive', ttl_ms: null, all: false },
  wait_until_mono_ms: until,
});

describe('among many agents', () => {
  it('locking, waiting, releasing and ends list nothing but what the agent holds', () => {
    const { fleet, A, B, a, b } = crowd();
    const seen = [
      listedBy(fleet, A, lock(a, ['src/1', 'src/free', 'lib/3/x'])),
      listedBy(fleet, A, lock(a, ['src/1'], A.mono_ms + 60_000)),
      listedBy(fleet, A, { type: 'lock.unwait', who: a, paths: ['src/1'], cause: 'timeout' }),
      listedBy(fleet, A, { type: 'lock.release', who: a, paths: ['src/free'] }),
      listedBy(fleet, A, { type: 'lock.release_all', who: a, held: [] }),
      listedBy(fleet, B, { type: 'turn.start', who: b }),
      listedBy(fleet, B, { type: 'turn.end', who: b, running: [] }),
      listedBy(fleet, B, { type: 'op.end', who: b, ops: null }),
      listedBy(fleet, B, { type: 'agent.leave', who: b, reason: 'end' }),
    ].flat();
    expect([...new Set(seen)].sort()).toEqual(['held/1.8/claude-a:']);
  });

  it('a circle is found, and its victim chosen, along its edges', () => {
    const { fleet, A, B, a, b } = crowd();
    for (const victim of ['youngest', 'fewest_leases'] as const) {
      fleet.policy = { ...fleet.policy, victim };
      A.lock(a, `${victim}/f`);
      B.lock(b, `${victim}/g`);
      A.wait(a, `${victim}/g`);
      const seen = listedBy(fleet, B, lock(b, [`${victim}/f`], B.mono_ms + 60_000));
      expect(seen.filter((one) => !one.startsWith('held/'))).toEqual([]);
      expect(fleet.types()).toContain('deadlock');
    }
  });

  it('reserving lists nobody, as long as those who reserve are few', () => {
    const { fleet, A, a } = crowd();
    const wish = { type: 'reserve', who: a, scope: '', patterns: ['src/**', 'lib/1/**', 'doc/**'] } as const;
    const how = { mode: 'exclusive', reason: 'work', ttl_ms: 60_000, all: false, dry: false } as const;
    expect(listedBy(fleet, A, { ...wish, ...how })).toEqual([]);
    expect(listedBy(fleet, A, { type: 'unreserve', who: a, ids: null })).toEqual([]);
  });

  it('reserving lists nobody among 40 who reserve, too', () => {
    const { fleet, A, a } = crowd();
    for (let n = 0; n < 20; n++) A.reserve(A.session(`r${n}`, 500 + n), `app/${n}/**`, 600_000);
    const wish = { type: 'reserve', who: a, scope: '', patterns: ['src/**', 'doc/**'] } as const;
    const how = { mode: 'exclusive', reason: 'work', ttl_ms: 60_000, all: false, dry: false } as const;
    expect(listedBy(fleet, A, { ...wish, ...how })).toEqual([]);
  });

  it('a beat lists its own agents', () => {
    const { fleet, A } = crowd();
    expect(listedBy(fleet, A, { type: 'machine.beat' })).toEqual(['on/3/m-a:']);
  });

  it('what an agent says of itself is compared with others only where it takes a name', () => {
    const { fleet, A, a } = crowd();
    A.present(a);
    const said = { type: 'agent.describe', who: a, capabilities: ['tests'] } as const;
    expect(listedBy(fleet, A, said)).toEqual([]);
    expect(listedBy(fleet, A, { ...said, name: 'Ada' })).toContain('profile:');
  });

  it('messages and requests list nothing but what they are about', () => {
    const { fleet, A, B, a, b } = crowd();
    A.lock(a, 'doc/f');
    B.present(b);
    const meant = { file: 'doc/f', path: 'doc/f', scope: '', pattern: 'doc/f' };
    const thread = { thread_id: 't', reason: 'mine' };
    const message = { topic: null, thread_id: null, subject: 's', body: 'b', importance: 'normal' } as const;
    const seen = [
      listedBy(fleet, A, {
        ...{ type: 'message.send', who: a, to: [b.id] },
        message: { ...message, ack_required: false },
      }),
      listedBy(fleet, B, { type: 'message.fetch', who: b, after: null }),
      listedBy(fleet, B, { type: 'message.deliver', who: b }),
      listedBy(fleet, B, {
        type: 'negotiate.request',
        who: b,
        to: a.id,
        meant,
        urgency: 'normal',
        ...thread,
      }),
      listedBy(fleet, A, { type: 'release.over', who: a, scope: '', pattern: 'doc/f' }),
    ].flat();
    expect(seen.filter((one) => !one.startsWith('held/'))).toEqual([]);
  });
});
