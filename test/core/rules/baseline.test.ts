import { describe, expect, it } from 'vitest';
import { agent, denialTypes, file, H1, H2, missing, POLICY, seen, World } from '../world.ts';

const a = agent('a');
const b = agent('b');

function locked(policy = POLICY): World {
  const world = new World();
  world.policy = policy;
  world.lock(a, 'x.txt');
  return world;
}

describe('in the turn of the read', () => {
  it('a write is denied as STALE_FILE after the digest changed (FR-004, story 1.1)', () => {
    const verdict = locked().begin(a, 'x.txt', 'op', file(H2), seen(H1));
    expect(verdict).toMatchObject({
      verdict: 'denied',
      denial: {
        error_type: 'STALE_FILE',
        message: 'File modified by another actor. Re-read required.',
        details: { path: '/repo/x.txt', baseline_hash: H1, current_disk_hash: H2, cause: 'modified' },
        recovery_hint:
          "Perform a new 'read_file' to see the latest changes before attempting to write again.",
      },
    });
  });

  it('a write is approved when nothing changed (story 1.2)', () => {
    expect(locked().begin(a, 'x.txt', 'op', file(H1), seen(H1))).toEqual({ verdict: 'approved' });
  });

  it('a write is denied as target missing after the file was deleted', () => {
    const verdict = locked().begin(a, 'x.txt', 'op', missing, seen(H1));
    expect(verdict).toMatchObject({
      denial: { error_type: 'STALE_FILE', details: { cause: 'target_missing', current_disk_hash: null } },
    });
  });

  it('a file that was read as absent may be created, and is stale if it exists by then', () => {
    const absent = { turn: 1, knows: 'absent', digest: null } as const;
    expect(locked().begin(a, 'x.txt', 'op', missing, absent).verdict).toBe('approved');
    expect(denialTypes(locked().begin(a, 'x.txt', 'op', file(H1), absent))).toEqual(['STALE_FILE']);
  });

  it('a torn read is stale even if the digest is the same', () => {
    const torn = { turn: 1, knows: 'unverified', digest: H1 } as const;
    expect(denialTypes(locked().begin(a, 'x.txt', 'op', file(H1), torn))).toEqual(['STALE_FILE']);
  });
});

describe('in a later turn', () => {
  const later = (policy = POLICY) => {
    const world = locked(policy);
    world.run({ type: 'turn.start', who: a });
    world.lock(a, 'x.txt');
    return world;
  };

  it('content the agent last saw may be written without a new read', () => {
    expect(later().begin(a, 'x.txt', 'op', file(H1), seen(H1)).verdict).toBe('approved');
  });

  it('content that changed since is UNREAD_FILE, not STALE_FILE', () => {
    expect(denialTypes(later().begin(a, 'x.txt', 'op', file(H2), seen(H1)))).toEqual(['UNREAD_FILE']);
  });

  it('with unread off nothing older than the turn counts', () => {
    const verdict = later({ ...POLICY, unread: 'off' }).begin(a, 'x.txt', 'op', file(H2), seen(H1));
    expect(verdict.verdict).toBe('approved');
  });
});

describe('a file the agent never read', () => {
  it('is free when it is older than the agent', () => {
    expect(locked().begin(a, 'x.txt', 'op', file(H1)).verdict).toBe('approved');
  });

  it('is UNREAD_FILE when it changed after the agent joined', () => {
    const world = locked();
    const verdict = world.begin(a, 'x.txt', 'op', file(H1, world.wall_ms));
    expect(verdict).toMatchObject({
      denial: { error_type: 'UNREAD_FILE', details: { changed_by: 'outside' } },
    });
  });

  it('names the agent whose guarded write it is', () => {
    const world = new World();
    world.lock(a, 'mine.txt');
    world.lock(b, 'x.txt');
    world.begin(b, 'x.txt', 'b1', missing);
    world.end(b, 'x.txt', 'b1', H1);
    world.run({ type: 'lock.release', who: b, paths: ['x.txt'] });
    world.lock(a, 'x.txt');
    const verdict = world.begin(a, 'x.txt', 'op', file(H1, world.wall_ms));
    expect(verdict).toMatchObject({ denial: { error_type: 'UNREAD_FILE', details: { changed_by: b.id } } });
  });

  it('of another repository than its own is judged by the time of the file: lsns of two ledgers cannot be compared', () => {
    const world = new World();
    const home = { turn: 1, joined_wall_ms: world.wall_ms, context: 'own', joined_lsn: null } as const;
    world.lock(b, 'x.txt');
    world.begin(b, 'x.txt', 'b1', missing);
    world.end(b, 'x.txt', 'b1', H1);
    world.run({ type: 'lock.release', who: b, paths: ['x.txt'] });
    world.lock(a, 'x.txt');
    const begin = (ctime_ms: number) =>
      world.run({
        type: 'write.begin',
        who: a,
        op: `op-${ctime_ms}`,
        tool: 'Edit',
        home,
        targets: [world.target('x.txt', file(H1, ctime_ms), null)],
      });
    expect(denialTypes(begin(home.joined_wall_ms + 5))).toEqual(['UNREAD_FILE']);
    expect(begin(home.joined_wall_ms - 5).verdict).toBe('approved');
  });

  it('is always UNREAD_FILE under strict', () => {
    const world = locked({ ...POLICY, unread: 'always' });
    expect(denialTypes(world.begin(a, 'x.txt', 'op', file(H1)))).toEqual(['UNREAD_FILE']);
  });

  it('is UNREAD_FILE for a fork, however old it is', () => {
    const world = new World();
    const fork = agent('f', { inherited: true });
    world.lock(fork, 'x.txt');
    expect(denialTypes(world.begin(fork, 'x.txt', 'op', file(H1)))).toEqual(['UNREAD_FILE']);
  });

  it('may be created where there is none', () => {
    expect(locked().begin(a, 'x.txt', 'op', missing).verdict).toBe('approved');
  });
});

describe('several things wrong at once', () => {
  it('the stale file is named first, and the lock comes before the read in details.next', () => {
    const world = new World();
    const verdict = world.begin(a, 'x.txt', 'op', file(H2), seen(H1));
    expect(denialTypes(verdict)).toEqual(['STALE_FILE', 'NOT_LOCKED']);
    expect(verdict).toMatchObject({
      denial: {
        details: {
          next: [
            'guard lock try /repo/x.txt',
            'Read /repo/x.txt again, with offset and limit if it is said to be unchanged',
          ],
        },
      },
    });
  });

  it('the whole denial is in the ledger, once for one tool call (FR-009)', () => {
    const world = new World();
    const verdict = world.begin(a, 'x.txt', 'op', file(H2), seen(H1));
    world.begin(a, 'x.txt', 'op', file(H2), seen(H1));
    const rejected = world.records.filter((record) => record.type === 'write.rejected');
    expect(rejected).toHaveLength(1);
    expect(verdict).toMatchObject({ denial: rejected[0]?.['denial'] });
  });
});
