import { describe, expect, it } from 'vitest';
import { agent, denialTypes, file, H1, H2, POLICY, proc, seen, World } from '../world.ts';

const a = agent('a', { proc: proc(11) });
const b = agent('b');

function open(): World {
  const world = new World();
  world.policy = { ...POLICY, enforcement: 'off' };
  world.begin(a, 'x', 'op-a', file(H1));
  return world;
}

describe('a write in flight', () => {
  it('ends with its PostToolUse', () => {
    const world = open();
    expect(denialTypes(world.begin(b, 'x', 'op-b', file(H1)))).toEqual(['WRITE_IN_FLIGHT']);
    world.end(a, 'x', 'op-a', H2);
    expect(world.begin(b, 'x', 'op-c', file(H2), seen(H2)).verdict).toBe('approved');
  });

  it.each([
    ['failure', (world: World) => world.run({ type: 'op.end', who: a, ops: ['op-a'] })],
    ['the next exclusive call', (world: World) => world.begin(a, 'y', 'op-2', file(H1))],
    ['the end of the turn', (world: World) => world.run({ type: 'turn.end', who: a, running: [] })],
    ['the death of the agent', (world: World) => world.dead.add(11)],
    [
      'a new process of the session',
      (world: World) => world.run({ type: 'agent.present', who: { ...a, proc: proc(12) } }),
    ],
  ])('ends with %s', (_, end) => {
    const world = open();
    end(world);
    expect(world.begin(b, 'x', 'op-b', file(H1)).verdict).toBe('approved');
  });

  it('does not end with the failure of another call', () => {
    const world = open();
    world.run({ type: 'op.end', who: a, ops: ['another'] });
    expect(denialTypes(world.begin(b, 'x', 'op-b', file(H1)))).toEqual(['WRITE_IN_FLIGHT']);
  });
});

describe('a digest that went out of date while it was taken', () => {
  it('is not judged: the shell must look again', () => {
    const world = open();
    const target = world.target('x', file(H1), null);
    world.end(a, 'x', 'op-a', H2);
    const verdict = world.run({
      type: 'write.begin',
      who: b,
      op: 'op-b',
      tool: 'Edit',
      home: null,
      targets: [target],
    });
    expect(verdict).toEqual({ verdict: 'retry' });
  });
});

describe('the same event twice', () => {
  it('PreToolUse approves again and writes nothing', () => {
    const world = open();
    const before = world.records.length;
    expect(world.begin(a, 'x', 'op-a', file(H1)).verdict).toBe('approved');
    expect(world.records.length).toBe(before);
  });

  it('the same call with another file is judged for that file', () => {
    const world = new World();
    world.lock(a, 'x');
    expect(world.begin(a, 'x', 'op-a', file(H1)).verdict).toBe('approved');
    expect(denialTypes(world.begin(a, 'y', 'op-a', file(H1)))).toEqual(['NOT_LOCKED']);
    world.lock(a, 'y');
    expect(world.begin(a, 'y', 'op-a', file(H1)).verdict).toBe('approved');
    expect(world.agent(a)?.op?.paths).toEqual(['x', 'y']);
    world.policy = { ...POLICY, enforcement: 'off' };
    expect(denialTypes(world.begin(b, 'x', 'op-b', file(H1)))).toEqual(['WRITE_IN_FLIGHT']);
    expect(denialTypes(world.begin(b, 'y', 'op-b', file(H1)))).toEqual(['WRITE_IN_FLIGHT']);
  });

  it('PostToolUse of a raced write says the second time only that it was told before', () => {
    const world = open();
    const end = () =>
      world.run({
        type: 'write.end',
        who: a,
        op: 'op-a',
        tool: 'Edit',
        written: [{ path: 'x', digest: H2, content: 'as_expected', original: () => 'other' }],
      })[0];
    expect(end()).toMatchObject({ raced: true, known: false, repeated: false });
    expect(end()).toMatchObject({ repeated: true });
  });

  it('PostToolUse records the write once', () => {
    const world = open();
    world.end(a, 'x', 'op-a', H2);
    world.end(a, 'x', 'op-a', H2);
    expect(world.types().filter((type) => type === 'write')).toHaveLength(1);
    expect(world.types()).not.toContain('bypass');
  });
});

describe('what was really written', () => {
  const written = (
    content: 'as_expected' | 'differs' | 'unknown',
    original: 'same' | 'other' | 'unverified',
  ) => {
    const world = open();
    const [outcome] = world.run({
      type: 'write.end',
      who: a,
      op: 'op-a',
      tool: 'Edit',
      written: [{ path: 'x', digest: H2, content, original: () => original }],
    });
    return { outcome, types: world.types() };
  };

  it('as expected over the approved content: seen', () => {
    expect(written('as_expected', 'same')).toMatchObject({ outcome: { known: true, raced: false } });
  });

  it('over other content than approved: raced, recorded, not seen', () => {
    const { outcome, types } = written('as_expected', 'other');
    expect(outcome).toMatchObject({ known: false, raced: true });
    expect(types).toContain('write.raced');
  });

  it('different from what the tool wrote: not seen', () => {
    expect(written('differs', 'same').outcome).toMatchObject({ known: false });
  });

  it('without an approval: recorded as bypass', () => {
    const world = new World();
    world.run({ type: 'agent.present', who: a });
    expect(world.end(a, 'x', 'op-1', H1)[0]).toMatchObject({ unapproved: true });
    expect(world.types()).toContain('bypass');
  });
});
