import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GitFile } from '../../../src/core/rules/command-event.ts';
import { isHoldLive } from '../../../src/core/alive.ts';
import { draftOver } from '../../../src/core/states.ts';
import type { Who } from '../../../src/core/rules/agent.ts';
import { command, ended, refusalOf, tracked, tree, TWO_MINUTES_MS, untracked } from '../command-world.ts';
import {
  agent,
  denialTypes,
  file,
  H1,
  H2,
  H3,
  missing,
  POLICY,
  proc,
  seen,
  subagent,
  World,
} from '../world.ts';

const a = agent('a', { proc: proc(11) });
const b = agent('b', { proc: proc(12) });

const holders = (world: World, path: string): string[] =>
  world.look((view, facts) => {
    const draft = draftOver(view);
    return draft
      .path(path)
      .holds.filter((hold) => hold.mode === 'exclusive' && isHoldLive(draft, path, hold, facts))
      .map((hold) => hold.agent);
  });

function joined(...who: Who[]): World {
  const world = new World();
  for (const one of who) world.run({ type: 'agent.present', who: one });
  return world;
}

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

describe('what a command holds', () => {
  const begun = (): World => {
    const world = joined(a, b);
    command(world, a, 'op-1', { targets: [tracked(world, 'x', file(H1), seen(H1))] });
    return world;
  };

  it.each([
    ['the longest that its client lets it run', (world: World) => void world.pass(TWO_MINUTES_MS + 1)],
    ['the death of its agent', (world: World) => void world.dead.add(11)],
    ['the end of the turn', (world: World) => void world.run({ type: 'turn.end', who: a, running: [] })],
    ['the next prompt', (world: World) => void world.run({ type: 'turn.start', who: a })],
    [
      'the next write of the client, which runs alone',
      (world: World) => {
        world.policy = { ...POLICY, enforcement: 'off' };
        world.begin(a, 'z', 'op-z', missing);
        world.policy = POLICY;
      },
    ],
    [
      'a new process of the session',
      (world: World) => void world.run({ type: 'agent.present', who: { ...a, proc: proc(13) } }),
    ],
  ])('ends with %s', (_, end) => {
    const world = begun();
    expect(denialTypes(world.begin(b, 'x', 'op-b', file(H1)))).toEqual([
      'LOCKED_BY_OTHER',
      'WRITE_IN_FLIGHT',
    ]);
    end(world);
    expect(holders(world, 'x')).toEqual([]);
    expect(world.lock(b, 'x')).toMatchObject([{ acquired: true }]);
    expect(denialTypes(world.begin(b, 'x', 'op-c', file(H1), seen(H1)))).toEqual([]);
  });

  it('does not end with another call of the same agent', () => {
    const world = begun();
    world.run({
      type: 'call.begin',
      who: a,
      call: { id: 'op-2', tool: 'Bash', since_mono_ms: 1, until_mono_ms: 2 },
    });
    world.run({ type: 'op.end', who: a, ops: ['op-2'] });
    command(world, a, 'op-3', { targets: [untracked('y')] });
    ended(world, a, 'op-3');
    expect(holders(world, 'x')).toEqual([a.id]);
  });

  it('lasts while a person is asked for it', () => {
    const world = begun();
    const until_mono_ms = world.mono_ms + 600_000;
    const call = { id: 'asked', tool: 'Bash', since_mono_ms: world.mono_ms, until_mono_ms };
    world.run({ type: 'call.begin', who: a, call, keeps_op: true });
    world.pass(TWO_MINUTES_MS + 1);
    expect(holders(world, 'x')).toEqual([a.id]);
  });

  it('lasts in the background for as long as its task does, over the end of a turn', () => {
    const world = begun();
    world.run({ type: 'background', who: a, started: ['t1'], finished: [], op: 'op-1' });
    world.pass(TWO_MINUTES_MS + 1);
    world.run({ type: 'turn.end', who: a, running: ['t1'] });
    expect(holders(world, 'x')).toEqual([a.id]);
    world.run({ type: 'background', who: a, started: [], finished: ['t1'] });
    expect(holders(world, 'x')).toEqual([]);
  });

  it('becomes an ordinary lease when its agent locks the file', () => {
    const world = begun();
    expect(world.lock(a, 'x')).toMatchObject([{ acquired: true }]);
    ended(world, a, 'op-1');
    expect(holders(world, 'x')).toEqual([a.id]);
  });

  it('is no loss that anybody is told of', () => {
    const world = begun();
    world.pass(TWO_MINUTES_MS + 1);
    world.lock(b, 'x');
    expect(world.agent(a)?.revoked).toBeUndefined();
  });
});

describe('the same event twice', () => {
  it('approves again and writes nothing; ends once', () => {
    const world = joined(a);
    const run = () => command(world, a, 'op-1', { targets: [untracked('x')] });
    run();
    const before = world.records.length;
    expect(run()).toMatchObject({ verdict: 'approved' });
    expect(world.records.length).toBe(before);
    expect(ended(world, a, 'op-1', { x: H1 })).toHaveLength(1);
    expect(ended(world, a, 'op-1', { x: H1 })).toEqual([]);
    expect(world.types().filter((type) => type === 'write')).toHaveLength(1);
  });

  it('a digest that went out of date is taken again', () => {
    const world = joined(a, b);
    const target = tracked(world, 'x', file(H1), null);
    command(world, b, 'op-b', { targets: [untracked('x', H1)] });
    ended(world, b, 'op-b', { x: H2 });
    expect(command(world, a, 'op-1', { targets: [target] })).toEqual({ verdict: 'retry' });
  });
});

describe('whatever agents do', () => {
  const who = [a, b, subagent(a, 's1')];
  const step = fc.record({
    by: fc.nat({ max: 2 }),
    what: fc.constantFrom('run', 'end', 'lock', 'release', 'write', 'turn', 'background', 'wait'),
    path: fc.constantFrom('x', 'y'),
    op: fc.constantFrom('op-1', 'op-2'),
  });

  it('a file never has two holders, and no lease of a command outlives it', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const world = joined(...who);
        for (const { by, what, path, op } of steps) {
          const me = who[by] ?? a;
          const id = `${me.id}-${op}`;
          if (what === 'run') command(world, me, id, { targets: [tracked(world, path, file(H1), seen(H1))] });
          if (what === 'end') ended(world, me, id, { [path]: H1 });
          if (what === 'lock') world.lock(me, path);
          if (what === 'release') world.run({ type: 'lock.release', who: me, paths: [path] });
          if (what === 'write') world.begin(me, path, `${id}-w`, file(H1), seen(H1));
          if (what === 'turn') world.run({ type: 'turn.end', who: me, running: null });
          if (what === 'background')
            world.run({ type: 'background', who: me, started: ['t'], finished: [], op: id });
          if (what === 'wait') world.pass(50_000);
          for (const one of ['x', 'y']) expect(holders(world, one).length).toBeLessThanOrEqual(1);
        }
        for (const me of who) {
          world.run({ type: 'background', who: me, started: [], finished: ['t'] });
          for (const op of ['op-1', 'op-2']) ended(world, me, `${me.id}-${op}`);
        }
        for (const one of ['x', 'y'])
          world.look((view, facts) => {
            const draft = draftOver(view);
            const live = draft
              .path(one)
              .holds.filter((hold) => hold.command !== undefined && isHoldLive(draft, one, hold, facts));
            expect(live).toEqual([]);
          });
      }),
      { numRuns: 300 },
    );
  });
});
