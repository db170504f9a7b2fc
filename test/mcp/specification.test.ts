/**
 * The test list of the specification of the lock tools ("Replace Locking Scripts with Named MCP Tools"), item by item.
 * Guard's commands take the place of its scripts.
 */
import { describe, expect, it } from 'vitest';
import { expectEnvelope, GUARD, runNow, scratch, working } from '../claude/driver.ts';
import type { Scratch, Session } from '../claude/driver.ts';
import { serve, type Server, type Tools, until } from './client.ts';

const FILES = { 'a.py': 'one\n', 'b.py': 'one\n', 'c.py': 'one\n' };

/** An agent whose tool calls pass through the real hook, which signs them. */
function toolsOf(server: Server, agent: Session): Tools {
  const call: Tools['call'] = (tool, input = {}, options = {}) => {
    const { updated } = agent.pre(agent.call(`mcp__guard__${tool}`, { ...input }));
    return server.claiming(String(updated?.['_agent'])).call(tool, { ...updated }, options);
  };
  return {
    call,
    lockTry: (...filepaths) => call('lock_try', { filepaths }),
    lockWait: (timeout_seconds, ...filepaths) => call('lock_wait', { filepaths, timeout_seconds }),
    release: (...filepaths) => call('lock_release', { filepaths }),
  };
}

async function cast(): Promise<{ at: Scratch; a: Session; b: Session; A: Tools; B: Tools }> {
  const at = scratch({ files: FILES, init: ['--mcp'] });
  const server = await serve(at);
  const [a, b] = [working(at), working(at)];
  return { at, a, b, A: toolsOf(server, a), B: toolsOf(server, b) };
}

const waits = (at: Scratch, agent: Session): boolean =>
  JSON.stringify(at.guard('status', '--json').json()).includes(`"from":"${agent.name}"`);

describe('unit tests', () => {
  it('lock_try: returns per-file results with correct acquired/holder', async () => {
    const { a, A, B } = await cast();
    await A.lockTry('b.py');
    expect((await B.lockTry('c.py', 'b.py', 'a.py')).results).toMatchObject([
      { filepath: 'a.py', acquired: true, holder: null },
      { filepath: 'b.py', acquired: false, holder: a.name },
      { filepath: 'c.py', acquired: true, holder: null },
    ]);
  });

  it('lock_wait: async waiting works; respects timeout', async () => {
    const { at, b, A, B } = await cast();
    await A.lockTry('a.py');
    const start = performance.now();
    const late = await B.lockWait(0.3, 'a.py');
    expect([late.all_acquired, late.results[0]?.error]).toEqual([false, 'timeout']);
    expect(performance.now() - start).toBeGreaterThanOrEqual(300);
    const waiting = B.lockWait(20, 'a.py');
    await until(() => at.log('wait').filter(({ agent }) => agent === b.name).length > 1);
    await A.release('a.py');
    expect((await waiting).all_acquired).toBe(true);
  });

  it('lock_release: idempotent; returns per-file released status', async () => {
    const { A } = await cast();
    await A.lockTry('a.py');
    for (const was_held of [true, false]) {
      expect(await A.release('a.py')).toMatchObject({
        results: [{ filepath: 'a.py', released: true, was_held }],
        all_released: true,
      });
    }
  });

  it('lock_status: correctly identifies held_by_me vs other holder', async () => {
    const { a, A, B } = await cast();
    await A.lockTry('a.py');
    const asked = { filepaths: ['a.py'] };
    expect((await A.call('lock_status', asked)).results).toMatchObject([
      { held_by_me: true, holder: a.name },
    ]);
    expect((await B.call('lock_status', asked)).results).toMatchObject([
      { held_by_me: false, holder: a.name },
    ]);
  });

  it('path canonicalization in results matches deadlock monitor expectations', async () => {
    const { at, a, b, A, B } = await cast();
    await A.lockTry(at.path('./x/../a.py'));
    await B.lockTry('a.py');
    expect(at.guard('deadlock', '--json').json()).toMatchObject({
      edges: [{ from: b.name, to: a.name, path: 'a.py' }],
    });
  });
});

describe('integration tests', () => {
  it('agent can acquire multiple locks via lock_try', async () => {
    const { at, a, A } = await cast();
    expect((await A.lockTry('a.py', 'b.py', 'c.py')).all_acquired).toBe(true);
    expect(at.log('hold')).toMatchObject([{ agent: a.name, paths: ['a.py', 'b.py', 'c.py'] }]);
  });

  it('contention scenario: agent A holds file, agent B gets acquired: false with holder', async () => {
    const { a, A, B } = await cast();
    await A.lockTry('a.py');
    expect(await B.lockTry('a.py')).toMatchObject({
      results: [{ filepath: 'a.py', acquired: false, holder: a.name }],
      all_acquired: false,
    });
  });

  it('deadlock detection receives ACQUIRED/WAITING events from tool hooks', () => {
    const at = scratch();
    const [a, b] = [working(at), working(at)];
    const said = (agent: Session, row: object) =>
      agent.post(agent.call('mcp__mala-locking__lock_try', { filepaths: ['a.py'] }), [
        { type: 'text', text: JSON.stringify({ results: [{ filepath: 'a.py', ...row }] }) },
      ]);
    said(a, { acquired: true, holder: null });
    said(b, { acquired: false, holder: 'bd-43' });
    expect(at.log('hold')).toMatchObject([{ agent: a.name, paths: ['mala-locking//a.py'] }]);
    expect(at.log('wait')).toMatchObject([{ agent: b.name, path: 'mala-locking//a.py', holders: [a.name] }]);
  });

  it('PreToolUse lock_wait hook emits WAITING before blocking', () => {
    const at = scratch();
    const agent = working(at);
    agent.pre(agent.call('mcp__mala-locking__lock_wait', { filepaths: ['a.py'] }));
    expect(at.log('wait')).toMatchObject([{ agent: agent.name, path: 'mala-locking//a.py', kind: 'wait' }]);
  });

  it('lock enforcement hook blocks writes on unlocked files with correct error message', async () => {
    const { at, a, A } = await cast();
    const file = at.path('a.py');
    expect(expectEnvelope(a.write('a.py', 'x').pre).message).toBe(
      `File ${file} is not locked. Use lock_try tool with filepaths: ["${file}"]`,
    );
    await A.lockTry(file);
    expect(a.write('a.py', 'x').pre.exit).toBe(0);
  });
});

describe('end-to-end tests', () => {
  it('two agents coordinate via locking tools (no deadlock)', async () => {
    const { at, a, b, A, B } = await cast();
    await A.lockTry('a.py', 'b.py');
    const waiting = B.lockWait(20, 'a.py', 'b.py');
    await until(() => waits(at, b));
    expect(a.write('a.py', 'of a\n').post?.exit).toBe(0);
    await A.call('lock_release_all');
    expect((await waiting).all_acquired).toBe(true);
    b.read('a.py');
    expect(b.write('a.py', 'of b\n').post?.exit).toBe(0);
    expect(at.read('a.py')).toBe('of b\n');
    expect(at.log('deadlock')).toEqual([]);
  });

  it('deadlock scenario: cycle detected and victim cancelled (its wait ends, and it lets go)', async () => {
    const { at, a, b, A, B } = await cast();
    await A.lockTry('a.py');
    await B.lockTry('b.py');
    const waiting = B.lockWait(30, 'a.py');
    await until(() => waits(at, b));
    const closing = A.lockWait(30, 'b.py');
    const told = await waiting;
    expect(told.results[0]).toMatchObject({
      acquired: false,
      holder: a.name,
      error: 'DEADLOCK',
      deadlock: { victim: b.name, release: `lock_release {"filepaths":["${at.path('b.py')}"]}` },
    });
    await B.release(at.path('b.py'));
    const won = await closing;
    expect(won.all_acquired).toBe(true);
    expect(won.notes).toEqual([expect.stringContaining(`${b.name} was told to release b.py`)]);
    expect(at.log('deadlock')).toMatchObject([{ victim: b.name, resolve: 'notify', release: ['b.py'] }]);
  });

  it.each([
    ['the one on tools', true],
    ['the one on commands', false],
  ])(
    'mixed scenario: one agent uses tools, another uses commands; the youngest is %s',
    async (_, tools_are_young) => {
      const at = scratch({ files: FILES });
      const server = await serve(at);
      const [old, young] = [working(at), working(at)];
      const [onTools, onCommands] = tools_are_young ? [young, old] : [old, young];
      const T = toolsOf(server, onTools);
      await T.lockTry('a.py');
      onCommands.lock('b.py');
      const command = at.startGuard(onCommands.env, 'lock', 'wait', 'a.py', '--timeout', '30s', '--json');
      await until(() => waits(at, onCommands));
      const tool = T.lockWait(30, 'b.py');
      if (tools_are_young) {
        expect((await tool).results[0]).toMatchObject({
          error: 'DEADLOCK',
          deadlock: { victim: young.name },
        });
        await T.release('a.py');
        expect((await command.done).exit).toBe(0);
      } else {
        const told = await command.done;
        expect([told.exit, JSON.parse(told.stdout)]).toMatchObject([1, { results: [{ error: 'DEADLOCK' }] }]);
        onCommands.guard('lock', 'release', 'b.py');
        expect((await tool).all_acquired).toBe(true);
      }
    },
  );
});

describe('the batching problem that the tools were made for', () => {
  it('`lock try a && lock try b && lock try c` in one Bash call, b held: the ledger names b as what is awaited', () => {
    const at = scratch({ files: FILES });
    const [holder, agent] = [working(at), working(at)];
    holder.lock('b.py');
    const line = ['a.py', 'b.py', 'c.py'].map((file) => `node "$GUARD" lock try ${file}`).join(' && ');
    const env = { ...at.env, ...agent.env, GUARD };
    expect(runNow({ program: '/bin/sh', args: ['-c', line], cwd: at.root, env }).exit).toBe(1);
    expect(at.log('wait')).toMatchObject([
      { agent: agent.name, path: 'b.py', kind: 'wanted', holders: [holder.name] },
    ]);
    expect(at.guard('deadlock', '--json').json()).toMatchObject({
      edges: [{ from: agent.name, to: holder.name, path: 'b.py' }],
    });
  });
});
