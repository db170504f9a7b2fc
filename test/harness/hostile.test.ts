/** Clients that say what no client says, and agents that damage what others read: their end is recorded anyway. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { finalBlock, shortenedResult } from '../../src/harness/final-block.ts';
import { fileLines, textIn } from '../../src/harness/agent-files.ts';
import { streamProgress } from '../../src/harness/stream.ts';
import { harness, type Harness, until } from './harness.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const print = (line: string): string => `js process.stdout.write(${JSON.stringify(`${line}\n`)})`;
const dispatchFile = (at: Harness, slug: string, id: string): string =>
  at.at.path(`.agents/tasks/${slug}/dispatches/${id}.json`);

describe('a client whose stream', () => {
  it('nests deeper than anything can be written again is heard on, and ends as it ended', () => {
    const at = harness();
    const block = `{"type":"tool_use","id":"t","name":"Odd","input":${nested(20_000)}}`;
    const deep = `{"type":"assistant","message":{"id":"m","content":[${block}]}}`;
    const told = at.await(at.draft('dev', [print(deep), 'result Done.']));
    expect(told).toMatchObject({ status: 'completed', message: 'Done.' });
  });

  it('reports a nested result has none, but has ended as it ended', () => {
    const at = harness();
    const text = `{"summary":"s","changes":${nested(20_000)}}`;
    expect(at.await(at.draft('dev', [`result ${text}`]))).toMatchObject({ status: 'completed' });
  });

  it('goes on after its last word keeps that word', () => {
    const at = harness();
    const last = JSON.stringify({ type: 'result', subtype: 'success', result: '{"summary":"all of it"}' });
    const told = at.await(at.draft('dev', [print(last), print('npm notice'), 'js process.exit(0)']));
    expect(told).toMatchObject({ status: 'completed', result: { summary: 'all of it' } });
  });

  it('is bytes that are no text, and a line of 20 MB, is heard on', () => {
    const at = harness();
    const bytes = 'js process.stdout.write(Buffer.from([0xff, 0xfe, 0x0a, 0xc3, 0x28, 0x0a]))';
    const long = 'js process.stdout.write(`${"x".repeat(20e6)}\\n`)';
    expect(at.await(at.draft('dev', [bytes, long, 'result Done.']))).toMatchObject({ message: 'Done.' });
  });

  it('reports numbers that are none counts as having said nothing', () => {
    const ended = (cost: string, turns: string): string =>
      `{"type":"result","result":"x","total_cost_usd":${cost},"num_turns":${turns}}`;
    for (const wrong of ['1e999', '-1', '"1"', 'null', '[]'])
      expect(streamProgress([ended(wrong, wrong)]).usage).toMatchObject({ cost_usd: 0, turns: 0 });
    expect(streamProgress([ended('0.5', '3'), ended('0.1', '1')]).usage).toMatchObject({
      cost_usd: 0.5,
      turns: 3,
    });
  });

  it('has calls of tools that are named as every object’s own members are counts them', () => {
    const at = harness();
    at.await(
      at.draft('dev', ['call constructor {}', 'call __proto__ {}', 'call constructor {}', 'result x']),
    );
    expect(at.guard('agent', 'stats', '--json').json()).toMatchObject({
      tools: [
        { tool: 'constructor', calls: 2 },
        { tool: '__proto__', calls: 1 },
      ],
    });
  });
});

describe('a last message', () => {
  it.each([
    ['blank lines', '\n'.repeat(200_000)],
    ['blanks', ' '.repeat(200_000)],
    ['open braces', '{"a":\n'.repeat(100_000)],
    ['open fences', '```json\n'.repeat(50_000)],
  ])('of nothing but %s is looked through at once', (_, text) => {
    const start = performance.now();
    expect(finalBlock(`${text}}`)).toBeNull();
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it('with a long report is shortened, not dropped', () => {
    const changes = Array.from({ length: 900 }, (_, n) => `src/file-${n}.ts: changed`);
    const found = finalBlock(JSON.stringify({ summary: 'x'.repeat(9_000), changes }));
    const result = found === null ? null : shortenedResult(found);
    expect(result?.summary).toMatch(/^x+…$/);
    expect(result?.changes.length).toBeGreaterThan(100);
    expect(result?.changes.at(-1)).toMatch(/^… and \d+ more$/);
    expect(JSON.stringify(result).length).toBeLessThan(20_000);
  });
});

describe('the files of an agent', () => {
  it('can be read by nobody else', () => {
    const at = harness();
    at.await(at.draft('dev', ['result x']));
    const all = join(at.at.state, 'agents');
    const own = readdirSync(all, { withFileTypes: true }).find((entry) => entry.isDirectory());
    const dir = join(all, own?.name ?? '');
    expect(dir).not.toBe(`${all}/`);
    expect(statSync(dir).mode & 0o077).toBe(0);
    for (const name of readdirSync(dir))
      expect([name, statSync(join(dir, name)).mode & 0o077]).toEqual([name, 0]);
  });

  it('are read in parts, however long they are', () => {
    const at = harness();
    const lines = Array.from({ length: 40_000 }, (_, n) => `${n} – ${'é'.repeat(60)}`);
    const file = at.at.put('log', lines.join('\n'));
    expect([...fileLines(file)]).toEqual(lines);
    expect(textIn(file)).toHaveLength(Buffer.from(lines.join('\n')).subarray(-65_536).toString().length);
  });

  it('may be impossible to write: it works on, and its result is not lost', async () => {
    const at = harness();
    const id = at.draft('dev', ['say One.', 'sleep 1500', 'result Done.']);
    const log = join(at.at.state, 'agents', id.slice('claude-'.length), 'events.jsonl');
    await until(() => existsSync(log), 15_000);
    rmSync(log);
    mkdirSync(log);
    expect(at.await(id)).toMatchObject({ status: 'completed', message: 'Done.', turns: 2 });
  });
});

describe('the files of a task', () => {
  it('that could not be written at an agent’s end say how it ended all the same', () => {
    const at = harness();
    const id = at.draft('dev', ['result Did it.']);
    const { taskSlug } = at.await(id);
    const file = dispatchFile(at, taskSlug, id);
    // As left by a supervisor that was killed after it wrote the ledger and before it wrote the file.
    const open = { ended: null, status: null, reason: null, result: null, last_output: '' };
    at.at.put(
      file.slice(at.at.root.length + 1),
      JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ...open }),
    );
    const { context } = at.guard('task', 'context', taskSlug, '--json').json() as { context: string };
    expect(context).toContain('completed');
    expect(context).toContain('> Did it.');
    expect(context).not.toContain('running');
  });

  it('that are damaged hide no other task, and keep no end from the record', () => {
    const at = harness();
    at.guard('task', 'create', 'good', '--description', 'Fine.');
    at.guard('task', 'create', 'bad');
    const id = at.draft(
      'dev',
      ['sh echo "{" > .agents/tasks/bad/dispatches/x.json', 'result x'],
      '--task',
      'bad',
    );
    expect(at.await(id)).toMatchObject({ status: 'completed' });
    const { tasks } = at.guard('task', 'list', '--json').json() as { tasks: Record<string, unknown>[] };
    expect(tasks).toMatchObject([
      {
        slug: 'bad',
        description: expect.stringContaining('has an unknown format') as string,
      },
      { slug: 'good', description: 'Fine.' },
    ]);
    expect(at.guard('task', 'context', 'bad', '--json').json()).toMatchObject({
      error: { code: 'GUARD_ERR_INPUT' },
    });
  });

  it('cannot be where something else is: that is said, and nobody is drafted', () => {
    const at = harness();
    at.guard('task', 'create', 'one');
    rmSync(at.at.path('.agents/tasks/one/dispatches'), { recursive: true });
    at.at.put('.agents/tasks/one/dispatches', 'in the way');
    const draft = ['agent', 'draft', '--role', 'dev', '--json'];
    for (const command of [
      ['task', 'context', 'one', '--json'],
      [...draft, '--task', 'one', 'x'],
    ])
      expect(at.guard(...command).json()).toMatchObject({ error: { code: 'GUARD_ERR_INPUT' } });
    rmSync(at.at.path('.agents/tasks'), { recursive: true });
    at.at.put('.agents/tasks', 'in the way');
    expect(at.guard(...draft, 'x').json()).toMatchObject({ error: { code: 'GUARD_ERR_INPUT' } });
    expect(at.list('--all')).toEqual([]);
  });

  it('that are pipes are not waited for', () => {
    const at = harness();
    at.guard('task', 'create', 'one');
    rmSync(at.at.path('.agents/tasks/one/task.json'));
    execFileSync('mkfifo', [at.at.path('.agents/tasks/one/task.json')]);
    expect(at.guard('task', 'list', '--json').json()).toMatchObject({ tasks: [{ slug: 'one' }] });
  });

  it('are not written through links: neither a directory of dispatches nor a file that is in the making', async () => {
    const at = harness();
    at.guard('task', 'create', 'one');
    mkdirSync(join(at.at.home, 'elsewhere'));
    rmSync(at.at.path('.agents/tasks/one/dispatches'), { recursive: true });
    symlinkSync(join(at.at.home, 'elsewhere'), at.at.path('.agents/tasks/one/dispatches'));
    const told = at.guard('agent', 'draft', '--role', 'dev', '--task', 'one', '--json', 'result x');
    expect(told.json()).toMatchObject({ error: { code: 'GUARD_ERR_PATH' } });
    expect(readdirSync(join(at.at.home, 'elsewhere'))).toEqual([]);

    const precious = at.at.put('precious', 'mine');
    const id = at.draft('dev', ['sleep 1500', 'result x']);
    const context = at.at.path('.agents/tasks/sleep-1500-result-x/context.md');
    await until(() => at.supervisor(id) > 0, 15_000);
    symlinkSync(precious, `${context}.${at.supervisor(id)}.tmp`);
    at.await(id);
    // The ledger has the end first, and await waits for that.
    await until(() => readFileSync(context, 'utf8').includes('completed'), 10_000);
    expect(readFileSync(precious, 'utf8')).toBe('mine');
  });

  it('are the own ones of each of several agents that are drafted with one prompt at once', async () => {
    const at = harness({ agents: { running: 3 } });
    const racing = Array.from({ length: 6 }, () =>
      at.at.startGuard(at.env, 'agent', 'draft', '--role', 'dev', '--json', 'hang'),
    );
    const told = await Promise.all(racing.map(({ done }) => done));
    const slugs = told
      .filter(({ exit }) => exit === 0)
      .map(({ stdout }) => (JSON.parse(stdout) as { taskSlug: string }).taskSlug);
    expect(new Set(slugs).size).toBe(6);
    const { tasks } = at.guard('task', 'list', '--json').json() as { tasks: { slug: string }[] };
    expect(tasks.map(({ slug }) => slug).sort()).toEqual(slugs.sort());
    const counts = tasks.map((task) => (task as { dispatchCount?: number }).dispatchCount);
    // No agent has worked yet on the tasks of queued agents.
    expect(counts.sort()).toEqual([0, 0, 0, 1, 1, 1]);
  });
});

describe('what an agent is named, and what its files hold', () => {
  it('reaches no terminal as an escape', () => {
    const at = harness();
    at.at.put('.agents/roles/evil.json', '{"name":"evil","category":"c","prompt":"x","\\u001b[31m":1}');
    const told = [
      at.guard('agent', 'draft', '--role', 'evil', 'x'),
      at.guard('agent', 'draft', '--role', 'dev', '--plan', '/no/\u001b[31m'),
      at.guard('agent', 'kill', 'x\u001b[31m'),
      at.guard('agent', 'await', 'x\u001b[31m'),
    ];
    for (const { stdout, stderr } of told) {
      expect(stderr).toMatch(/\\(?:x1b|u001b)\[31m/);
      expect(stdout + stderr).not.toContain('\u001b');
    }
  });
});
