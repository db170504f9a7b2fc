import { describe, expect, it } from 'vitest';
import type { GitFile } from '../../../src/core/rules/command-event.ts';
import {
  command,
  ended,
  exclusiveHolders as holders,
  joined,
  refusalOf,
  tracked,
  tree,
  untracked,
} from '../command-world.ts';
import { agent, denialTypes, file, H1, H2, H3, missing, POLICY, proc, seen, subagent } from '../world.ts';
import type { World } from '../world.ts';

const a = agent('a', { proc: proc(11) });
const b = agent('b', { proc: proc(12) });

describe('a command line over a file that git tracks', () => {
  it('takes the lease that nobody has, until it ends', () => {
    const world = joined(a, b);
    const run = () => command(world, a, 'op-1', { targets: [tracked(world, 'x', file(H1), seen(H1))] });
    expect(run()).toMatchObject({ verdict: 'approved' });
    expect(holders(world, 'x')).toEqual([a.id]);
    expect(ended(world, a, 'op-1', { x: H2 })).toEqual([{ path: 'x', digest: H2 }]);
    expect(holders(world, 'x')).toEqual([]);
    expect(world.path('x')).toMatchObject({
      holds: [],
      intent: null,
      last_write: { agent: a.id, digest: H2 },
    });
    expect(world.agent(a)?.commands).toBeUndefined();
  });

  it('keeps an ordinary lease of its agent as it was', () => {
    const world = joined(a);
    world.lock(a, 'x');
    command(world, a, 'op-1', { targets: [tracked(world, 'x', file(H1))] });
    ended(world, a, 'op-1');
    expect(holders(world, 'x')).toEqual([a.id]);
  });

  it('gives a shared lease of its agent back', () => {
    const world = joined(a);
    world.run({
      type: 'lock.acquire',
      who: a,
      paths: ['x'],
      mode: 'shared',
      ttl_ms: null,
      all: false,
      wait_until_mono_ms: null,
    });
    command(world, a, 'op-1', { targets: [tracked(world, 'x', file(H1))] });
    expect(holders(world, 'x')).toEqual([a.id]);
    ended(world, a, 'op-1');
    expect(world.path('x').holds).toMatchObject([{ agent: a.id, mode: 'shared' }]);
  });

  it('is denied what another one holds, and on record', () => {
    const world = joined(a, b);
    world.lock(b, 'x');
    const verdict = command(world, a, 'op-1', { targets: [tracked(world, 'x', file(H1))] });
    expect(refusalOf(verdict)).toEqual(['LOCKED_BY_OTHER']);
    expect(world.types()).toContain('write.rejected');
    expect(world.agent(a)).toMatchObject({ denials: 1, refused: { paths: ['x'] } });
    expect(holders(world, 'x')).toEqual([b.id]);
  });

  it('is denied over content that its agent has not seen', () => {
    const world = joined(a, b);
    const stale = command(world, a, 'op-1', { targets: [tracked(world, 'x', file(H2), seen(H1))] });
    expect(refusalOf(stale)).toEqual(['STALE_FILE']);
    const unread = command(world, a, 'op-2', { targets: [tracked(world, 'y', file(H2, world.wall_ms + 1))] });
    expect(refusalOf(unread)).toEqual(['UNREAD_FILE']);
    expect([...holders(world, 'x'), ...holders(world, 'y')]).toEqual([]);
  });

  it('must find it locked in strict', () => {
    const world = joined(a);
    world.policy = { ...POLICY, commands: 'required' };
    const run = (op: string) =>
      refusalOf(command(world, a, op, { targets: [tracked(world, 'x', file(H1), seen(H1))] }));
    expect(run('op-1')).toEqual(['NOT_LOCKED']);
    world.lock(a, 'x');
    expect(run('op-2')).toEqual([]);
  });

  it('is judged by its content alone where nothing is leased', () => {
    const world = joined(a, b);
    world.lock(b, 'x');
    world.policy = { ...POLICY, enforcement: 'off' };
    expect(
      refusalOf(command(world, a, 'op-1', { targets: [tracked(world, 'x', file(H2), seen(H1))] })),
    ).toEqual(['STALE_FILE']);
    expect(
      refusalOf(command(world, a, 'op-2', { targets: [tracked(world, 'x', file(H1), seen(H1))] })),
    ).toEqual([]);
  });

  it('takes over what a silent agent left, which is told so', () => {
    const world = joined(a, b);
    world.lock(b, 'x');
    world.pass(POLICY.idle_ms + 1);
    expect(command(world, a, 'op-1', { targets: [tracked(world, 'x', file(H1), seen(H1))] })).toMatchObject({
      verdict: 'approved',
    });
    expect(holders(world, 'x')).toEqual([a.id]);
    expect(world.agent(b)?.revoked).toMatchObject([{ path: 'x', to: a.id, cause: 'idle' }]);
  });
});

describe('a new file, and one that git does not track', () => {
  it('needs no lock and takes none, and others wait for its end', () => {
    const world = joined(a, b);
    expect(command(world, a, 'op-1', { targets: [untracked('new')] })).toMatchObject({ verdict: 'approved' });
    expect(holders(world, 'new')).toEqual([]);
    expect(denialTypes(world.begin(b, 'new', 'op-b', missing))).toContain('WRITE_IN_FLIGHT');
    ended(world, a, 'op-1', { new: H1 });
    world.lock(b, 'new');
    expect(denialTypes(world.begin(b, 'new', 'op-c', file(H1), seen(H1)))).toEqual([]);
  });

  it('is denied where another one holds or reserves it', () => {
    const world = joined(a, b);
    world.lock(b, 'new');
    expect(refusalOf(command(world, a, 'op-1', { targets: [untracked('new')] }))).toEqual([
      'LOCKED_BY_OTHER',
    ]);
  });
});

describe('a directory with all that is in it', () => {
  it('is denied while another one holds a file there, with its name', () => {
    const world = joined(a, b);
    world.lock(b, 'src/x', 'other/y');
    const verdict = command(world, a, 'op-1', { areas: [tree('src')] });
    expect(refusalOf(verdict)).toEqual(['LOCKED_BY_OTHER']);
    expect(verdict).toMatchObject({ denial: { details: { holder: b.id, held: ['src/x'] } } });
    expect(refusalOf(command(world, a, 'op-2', { areas: [tree('lib')] }))).toEqual([]);
  });

  it('is denied while another one reserves some of it, or writes in it', () => {
    const world = joined(a, b);
    world.run({
      type: 'reserve',
      who: b,
      scope: '',
      patterns: ['src/api/**'],
      mode: 'exclusive',
      reason: 'work',
      ttl_ms: 60_000,
      all: true,
      dry: false,
    });
    command(world, b, 'op-b', { targets: [untracked('lib/new')] });
    expect(refusalOf(command(world, a, 'op-1', { areas: [tree('src')] }))).toEqual(['LOCKED_BY_OTHER']);
    expect(refusalOf(command(world, a, 'op-2', { areas: [tree('lib')] }))).toEqual(['LOCKED_BY_OTHER']);
  });

  it('passes over what its agent holds, and its session for a subagent', () => {
    const world = joined(a);
    const child = subagent(a, 's1');
    world.run({ type: 'turn.start', who: child });
    world.lock(a, 'src/x');
    expect(refusalOf(command(world, a, 'op-1', { areas: [tree('src')] }))).toEqual([]);
    expect(refusalOf(command(world, child, 'op-2', { areas: [tree('src')] }))).toEqual([]);
  });

  it('leaves nothing on record where nobody objects', () => {
    const world = joined(a, b);
    const before = world.records.length;
    command(world, a, 'op-1', { areas: [tree('src')] });
    expect(world.records.length).toBe(before);
  });
});

describe('git', () => {
  const touched = (path: string, more: Partial<GitFile> = {}): GitFile => ({
    path,
    abs: `/repo/${path}`,
    on_disk: true,
    loses: 'uncommitted',
    source: 'git stash',
    narrower: (others) => `git stash push -- . ':!${others.join(' ')}'`,
    ...more,
  });
  function written(): World {
    const world = joined(a, b);
    world.policy = { ...POLICY, enforcement: 'off' };
    world.begin(b, 'x', 'op-b', file(H1), seen(H1));
    world.end(b, 'x', 'op-b', H2);
    world.policy = POLICY;
    return world;
  }

  it('may not take away what another live agent wrote and did not commit', () => {
    const world = written();
    expect(command(world, a, 'op-1', { git: [touched('x')] })).toEqual({ verdict: 'look', paths: ['x'] });
    const verdict = command(world, a, 'op-1', { git: [touched('x', { digest: H2 })] });
    expect(refusalOf(verdict)).toEqual(['WORK_OF_OTHERS']);
    expect(verdict).toMatchObject({
      denial: {
        details: { files: [{ path: '/repo/x', author: b.id }], next: ["git stash push -- . ':!/repo/x'"] },
      },
    });
  });

  it.each([
    ['a person changed it since', (world: World) => world, { digest: H3 }],
    [
      'its author left',
      (world: World) => {
        world.run({ type: 'agent.leave', who: b, reason: 'x' });
        return world;
      },
      {},
    ],
  ])('passes where %s, and says so', (_, change, more) => {
    const world = change(written());
    expect(command(world, a, 'op-1', { git: [touched('x', more)] })).toEqual({
      verdict: 'approved',
      strangers: ['/repo/x'],
    });
  });

  it('passes over its own agent’s work without a word', () => {
    const world = written();
    expect(command(world, b, 'op-1', { git: [touched('x', { digest: H2 })] })).toEqual({
      verdict: 'approved',
      strangers: [],
    });
  });

  it('may not change what another one holds, nor take what it has locked of git', () => {
    const world = joined(a, b);
    world.lock(b, 'x', '@git//stash');
    expect(refusalOf(command(world, a, 'op-1', { git: [touched('x', { loses: 'nothing' })] }))).toEqual([
      'LOCKED_BY_OTHER',
    ]);
    expect(refusalOf(command(world, a, 'op-2', { resources: ['@git//stash'] }))).toEqual(['LOCKED_BY_OTHER']);
    expect(refusalOf(command(world, b, 'op-3', { resources: ['@git//stash'] }))).toEqual([]);
  });
});
