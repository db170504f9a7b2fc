/** The lock tools respect reservations: an agent that checks before locking gets the answer the lock would give. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../claude/driver.ts';
import { serve } from './client.ts';

const [A, B] = ['claude-a', 'claude-b'] as const;

async function reserved() {
  const at = scratch();
  const server = await serve(at);
  const [a, b] = [server.as(A), server.as(B)];
  const made = (await a.call('reserve_files', { patterns: ['src/**'], reason: 'moving it' })) as unknown as {
    reservations: { id: string; expires_at: string }[];
  };
  const [{ id, expires_at } = { id: '', expires_at: '' }] = made.reservations;
  return { at, server, a, b, id, expires_at, reservation: { id, pattern: 'src/**', reason: 'moving it' } };
}

describe('a file in a reservation', () => {
  it('is refused and shown with the same holder, the same end and the same reservation', async () => {
    const { a, b, expires_at, reservation } = await reserved();
    const facts = {
      holder: A,
      holders: [A],
      expires_at,
      because: 'reservation',
      mode: 'exclusive',
      reservation,
    };
    expect((await b.lockTry('src/x')).results).toMatchObject([
      { acquired: false, ...facts, place: 1, waiters: 0 },
    ]);
    expect((await b.lockWait(0, 'src/x')).results).toMatchObject([
      { acquired: false, error: 'timeout', ...facts },
    ]);
    expect((await b.call('lock_status', { filepaths: ['src/x'] })).results).toMatchObject([
      { held_by_me: false, ...facts },
    ]);
    expect((await a.call('lock_status', { filepaths: ['src/x', 'lib/y'] })).results).toMatchObject([
      { filepath: 'lib/y', held_by_me: false, holder: null, queue: [] },
      { filepath: 'src/x', held_by_me: true, ...facts },
    ]);
    expect((await b.call('lock_status', { filepaths: [] })).results).toMatchObject([
      { filepath: 'src/**', held_by_me: false, ...facts },
    ]);
  });

  it('is not released by releasing the file, and the answer says what would', async () => {
    const { a, b, id } = await reserved();
    const still_reserved = [{ id, pattern: 'src/**', reason: 'moving it' }];
    const told = await a.release('src/x', 'lib/y');
    expect(told.all_released).toBe(false);
    expect(told.results).toMatchObject([
      { filepath: 'lib/y', released: true, was_held: false },
      { filepath: 'src/x', released: false, was_held: true, still_reserved },
    ]);
    expect(told.results[0]).not.toHaveProperty('still_reserved');
    expect(await a.call('lock_release_all')).toMatchObject({ count: 0, still_reserved });
    expect((await b.release('src/x')).results).toMatchObject([{ released: true, was_held: false }]);
    await a.call('release_files', { reservation_ids: [id] });
    expect((await a.release('src/x')).all_released).toBe(true);
    expect(await a.call('lock_release_all')).toEqual({ count: 0 });
  });

  it('is shown by the commands in words', async () => {
    const { at, id } = await reserved();
    const guard = (agent: string, ...args: string[]) => at.guard(...args, '--agent', agent);
    expect(guard(B, 'lock', 'try', 'src/x').stdout).toContain(`reserved as ${id} (src/**: moving it)`);
    expect(guard(A, 'lock', 'status', 'src/x').stdout).toMatch(/^yours .*reserved as r-/);
    const released = guard(A, 'lock', 'release', 'src/x');
    expect([released.exit, released.stdout]).toEqual([1, expect.stringContaining(`guard unreserve ${id}`)]);
    expect(guard(A, 'lock', 'release', '--all-held').stdout).toContain(`guard unreserve ${id}`);
  });
});

describe('a file that somebody waits for', () => {
  it('is shown with who has the next turn', async () => {
    const { at, a, b } = await reserved();
    await a.lockTry('lib/y');
    const { thread_id } = (await b.call('negotiate_release', {
      agent_name: A,
      file: 'lib/y',
      reason: 'r',
    })) as unknown as { thread_id: string };
    const answer = { thread_id, requester: B, action: 'release', file: 'lib/y' };
    await a.call('respond_to_release', answer);
    expect((await a.call('lock_status', { filepaths: ['lib/y'] })).results).toMatchObject([
      { holder: null, queue: [B] },
    ]);
    expect(at.guard('lock', 'status', 'lib/y').stdout).toContain(`next: ${B}`);
    expect((await a.lockTry('lib/y')).results).toMatchObject([{ because: 'queue', holder: B, place: 2 }]);
  });
});

describe('a file outside of the repository', () => {
  it('is said to be outside, whichever file comes first', async () => {
    const { at, a } = await reserved();
    const told = await a.lockTry('/etc/passwd', join(at.root, 'lib/y'));
    expect(told.results).toMatchObject([
      { filepath: '/etc/passwd', acquired: false, error: expect.stringContaining(at.root) as string },
      { acquired: true },
    ]);
    expect(told.results[0]?.error).not.toContain('first file');
  });
});

describe('lock_release_all', () => {
  it('says that it needs nothing, as the first lock tools did', async () => {
    const { server } = await reserved();
    const { tools } = await server.client.listTools();
    expect(tools.find(({ name }) => name === 'lock_release_all')?.inputSchema.required).toEqual([]);
  });
});
