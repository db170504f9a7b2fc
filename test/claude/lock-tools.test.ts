/** Lock tools of MCP servers, seen by hooks: payloads of the recorded shapes through the real hook. */
import { describe, expect, it } from 'vitest';
import { expectEnvelope, oneAgent, scratch, working, wrongs } from './driver.ts';
import type { Scratch, Session, ToolCall } from './driver.ts';

const OWN = 'mcp__guard__lock_try';
const FOREIGN = 'mcp__mala-locking__';

interface Graph {
  readonly edges: readonly { from: string; to: string; path: string; kind: string }[];
  readonly cycles: readonly { kind: string; agents: readonly string[]; victim?: string }[];
}
const graph = (at: Scratch): Graph => at.guard('deadlock', '--json').json() as Graph;
const arrows = (at: Scratch): string[] =>
  graph(at).edges.map(({ from, to, path, kind }) => `${from} ${kind} ${path} ${to}`);

/** The agent's name, the call's id, a time, and 64 digits that require the key. */
const sealed = (agent: Session, call?: ToolCall): unknown =>
  expect.stringMatching(new RegExp(`^${agent.name} ${call?.id ?? 'toolu_\\d+'} \\d{13} [0-9a-f]{64}$`));

const rows = (results: readonly object[], all: object = {}) => [
  { type: 'text', text: JSON.stringify({ results, ...all }) },
];
const got = (filepath: string) => ({ filepath, acquired: true, holder: null });
const blocked = (filepath: string, holder: string | null) => ({ filepath, acquired: false, holder });

const foreign = (agent: Session, tool: string, input: object = {}): ToolCall =>
  agent.call(`${FOREIGN}${tool}`, input as Record<string, unknown>);

/** The foreign server grants this agent the files. */
function holds(agent: Session, ...filepaths: readonly string[]): void {
  const call = foreign(agent, 'lock_try', { filepaths });
  expect(agent.pre(call).exit).toBe(0);
  expect(agent.post(call, rows(filepaths.map(got), { all_acquired: true })).exit).toBe(0);
}

describe("guard's own lock tools", () => {
  it('learn who calls and where: the session, each subagent, the directory', () => {
    const { at, agent } = oneAgent();
    const input = { filepaths: ['a'] };
    const call = agent.call(OWN, input);
    expect(agent.pre(call).updated).toEqual({ ...input, _agent: sealed(agent, call), _cwd: at.root });
    const sub = agent.subagent('abc123');
    expect(sub.pre(sub.call('mcp__guard__lock_wait', input)).updated).toMatchObject({
      _agent: sealed(sub),
    });
    const plugin = agent.call('mcp__plugin_guard_guard__lock_release_all', {});
    expect(agent.pre(plugin).updated).toMatchObject({ _agent: sealed(agent, plugin) });
  });

  it('a name that the model made up is overwritten', () => {
    const { agent } = oneAgent();
    const sub = agent.subagent('abc123');
    const forged = { filepaths: ['a'], _agent: agent.name, _cwd: '/etc' };
    expect(sub.pre(sub.call(OWN, forged)).updated).toEqual({
      filepaths: ['a'],
      _agent: sealed(sub),
      _cwd: sub.cwd,
    });
  });

  it('are recognised by the configured command, whatever the key; a key of another program is left alone', () => {
    const { at, agent } = oneAgent();
    const server = { command: 'node', args: ['/opt/guard/bin/guard.cjs', 'mcp'] };
    at.put('.mcp.json', JSON.stringify({ mcpServers: { files: server, guard: { command: 'other' } } }));
    expect(agent.pre(agent.call('mcp__files__lock_try', { filepaths: [] })).updated).toMatchObject({
      _agent: sealed(agent),
    });
    expect(agent.pre(agent.call(OWN, { filepaths: [] })).updated).toBeNull();
  });

  it('nothing is said to tools of other servers, and to other tools of this one', () => {
    const { agent } = oneAgent();
    for (const tool of ['mcp__other__lock_try', 'mcp__guard__lock_pick', 'mcp__guard__list']) {
      expect(agent.pre(agent.call(tool, { filepaths: ['a'] }))).toMatchObject({ exit: 0, stdout: '' });
    }
  });
});

describe('a foreign lock server', () => {
  it('PreToolUse lock_wait emits the wait edges before the wait starts', () => {
    const { at, agent: b } = oneAgent();
    const a = working(at);
    holds(a, 'src/main.py');
    const call = foreign(b, 'lock_wait', { filepaths: ['src/main.py', 'free.py'], timeout_seconds: 60 });
    expect(b.pre(call)).toMatchObject({ exit: 0, stdout: '' });
    expect(arrows(at)).toEqual([`${b.name} wait mala-locking//src/main.py ${a.name}`]);
  });

  it('PostToolUse records hold, wait and release from the structured results', () => {
    const { at, agent: a } = oneAgent();
    const b = working(at);
    holds(a, 'x');
    const tried = foreign(b, 'lock_try', { filepaths: ['x', 'y'] });
    b.post(tried, rows([blocked('x', 'bd-1'), got('y')], { all_acquired: false }));
    expect(arrows(at)).toEqual([`${b.name} wanted mala-locking//x ${a.name}`]);
    const release = foreign(a, 'lock_release', { filepaths: ['x'] });
    a.post(release, rows([{ filepath: 'x', released: true }], { all_released: true }));
    expect(arrows(at)).toEqual([]);
    const wait = foreign(b, 'lock_wait', { filepaths: ['x'] });
    b.pre(wait);
    b.post(wait, rows([got('x')], { all_acquired: true }));
    expect(at.log('hold').at(-1)).toMatchObject({ agent: b.name, paths: ['mala-locking//x'] });
    const all = foreign(b, 'lock_release_all');
    b.post(all, [{ type: 'text', text: '{"count":2}' }]);
    expect(at.log('release').at(-1)).toMatchObject({
      agent: b.name,
      paths: ['mala-locking//x', 'mala-locking//y'],
    });
  });

  it.each<[string, (answer: string) => unknown]>([
    ['content blocks', (text) => [{ type: 'text', text }]],
    ['an object around them', (text) => ({ content: [{ type: 'text', text }] })],
    ['the text alone', (text) => text],
  ])('answers are understood as %s', (_, wrap) => {
    const { at, agent } = oneAgent();
    const call = foreign(agent, 'lock_try', { filepaths: ['x'] });
    agent.post(call, wrap(JSON.stringify({ results: [got('x')] })));
    expect(at.log('hold')).toMatchObject([{ paths: ['mala-locking//x'], server: 'mala-locking' }]);
  });

  it.each([['not json'], ['[]'], ['{"results":7}'], ['{"results":[{"filepath":7,"acquired":true}]}']])(
    'an answer like %s says nothing',
    (text) => {
      const { at, agent } = oneAgent();
      expect(
        agent.post(foreign(agent, 'lock_try', { filepaths: ['x'] }), [{ type: 'text', text }]).exit,
      ).toBe(0);
      expect(at.log('hold')).toEqual([]);
    },
  );

  it('a failure ends the wait, and so does the end of the batch', () => {
    const { at, agent: a } = oneAgent();
    const b = working(at);
    holds(a, 'x');
    const wait = foreign(b, 'lock_wait', { filepaths: ['x'] });
    b.pre(wait);
    expect(arrows(at)).toHaveLength(1);
    b.failed(wait, 'server went away');
    expect(arrows(at)).toEqual([]);
    const again = foreign(b, 'lock_wait', { filepaths: ['x'] });
    b.pre(again);
    expect(arrows(at)).toHaveLength(1);
    b.batch(again);
    expect(arrows(at)).toEqual([]);
  });

  it("a holder's foreign name is joined to the agent whose hold is on record, once that is known", () => {
    const { at, agent: a } = oneAgent();
    const b = working(at);
    const tried = foreign(b, 'lock_try', { filepaths: ['old'] });
    b.post(tried, rows([blocked('old', 'bd-43')]));
    expect(arrows(at)).toEqual([`${b.name} wanted mala-locking//old mala-locking//bd-43`]);
    holds(a, 'new');
    const wait = foreign(b, 'lock_try', { filepaths: ['new'] });
    b.post(wait, rows([blocked('new', 'bd-43')]));
    expect(arrows(at).sort()).toEqual([
      `${b.name} wanted mala-locking//new ${a.name}`,
      `${b.name} wanted mala-locking//old ${a.name}`,
    ]);
    expect(at.guard('status', '--json').stdout).not.toContain('"agent":"mala-locking//');
  });

  it('servers of the configuration count too, a plugin prefix in front of them as well', () => {
    const { at, agent } = oneAgent({ config: { lock_servers: ['our-locks'] } });
    for (const server of ['our-locks', 'plugin_x_our-locks', 'mala-locking']) {
      agent.post(agent.call(`mcp__${server}__lock_try`, { filepaths: [server] }), rows([got(server)]));
    }
    expect(at.log('hold').map(({ server }) => server)).toEqual(['our-locks', 'our-locks', 'mala-locking']);
  });

  it('never denies a write, and holds nobody up in guard', () => {
    const { at, agent: a } = oneAgent({ files: { x: 'one\n' } });
    const b = working(at);
    holds(a, 'x');
    b.lock('x');
    expect(b.write('x', 'two\n').pre.exit).toBe(0);
    const c = working(at);
    expect(wrongs(c.write('x', 'three\n').pre)).toContain('LOCKED_BY_OTHER');
    expect((a.guard('lock', 'release', '--all-held', '--json').json() as { count: number }).count).toBe(0);
  });
});

describe('a deadlock at a foreign lock server', () => {
  /** The first holds x and waits for y, the second holds y. The later one to join is the victim. */
  function half(): { at: Scratch; old: Session; young: Session } {
    const at = scratch();
    const [old, young] = [working(at), working(at)];
    holds(old, 'x');
    holds(young, 'y');
    return { at, old, young };
  }

  it('that the youngest would close is refused to it before it waits, with the exact call that lets go', () => {
    const { at, old, young } = half();
    expect(old.pre(foreign(old, 'lock_wait', { filepaths: ['y'] })).exit).toBe(0);
    const denial = expectEnvelope(young.pre(foreign(young, 'lock_wait', { filepaths: ['x'] })));
    expect(denial).toMatchObject({
      error_type: 'DEADLOCK',
      details: { victim: young.name, release: 'mcp__mala-locking__lock_release {"filepaths":["y"]}' },
    });
    expect(at.log('deadlock')).toMatchObject([{ victim: young.name, resolve: 'notify' }]);
  });

  it('that the older one closes is told to the youngest when its wait ends, and to the winner', () => {
    const { at, old, young } = half();
    const wait = foreign(young, 'lock_wait', { filepaths: ['x'] });
    young.pre(wait);
    const closing = foreign(old, 'lock_wait', { filepaths: ['y'] });
    expect(old.pre(closing).exit).toBe(0);
    expect(graph(at).cycles).toMatchObject([{ kind: 'deadlock', victim: young.name }]);
    const told = young.post(wait, rows([blocked('x', 'bd-1')]));
    expect(told.context).toContain('You were chosen to give way');
    expect(told.context).toContain('mcp__mala-locking__lock_release {"filepaths":["y"]}');
    young.post(
      foreign(young, 'lock_release', { filepaths: ['y'] }),
      rows([{ filepath: 'y', released: true }]),
    );
    old.post(closing, rows([got('y')]));
    expect(graph(at).cycles).toEqual([]);
  });
});
