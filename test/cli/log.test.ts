/** `guard log`: the ledger in order, filtered, and followed as it grows. */
import { describe, expect, it } from 'vitest';
import { oneAgent, scratch, working } from '../claude/driver.ts';
import { until } from '../warm/stage.ts';

describe('guard log', () => {
  it('--json prints every record whole, in order, one a line', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    agent.lock('a.txt');
    agent.edit('a.txt', 'one', 'two');
    const records = at.log();
    expect(records.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['agent.join', 'turn', 'hold', 'intent', 'write']),
    );
    const lsns = records.map(({ lsn }) => Number(lsn));
    expect(lsns).toEqual([...lsns].sort((a, b) => a - b));
    for (const record of records) {
      expect(Object.keys(record)).toEqual(
        expect.arrayContaining(['v', 'id', 'type', 'ts', 'agent', 's', 'prev', 'lsn', 'crc']),
      );
    }
  });

  it('--type, several too, --agent with its subagents, and --path in any spelling', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n', 'b.txt': 'one\n' } });
    const other = working(at);
    agent.write('a.txt', 'x');
    agent.subagent('s1').write('b.txt', 'x');
    other.write('b.txt', 'x');
    const log = (...args: readonly string[]) =>
      at.guard('log', '--json', '--type', 'write.rejected', ...args).lines();
    expect(log().map((record) => record['agent'])).toEqual([agent.name, `${agent.name}/s1`, other.name]);
    expect(log('--agent', agent.name)).toHaveLength(2);
    expect(log('--agent', `${agent.name}/s1`)).toHaveLength(1);
    expect(log('--path', './src/../b.txt')).toHaveLength(2);
    expect(log('--path', at.path('b.txt'), '--agent', other.name)).toHaveLength(1);
    expect(
      at
        .guard('log', '--json', '--type', 'turn', 'agent.join')
        .lines()
        .map(({ type }) => type),
    ).toContain('agent.join');
  });

  it('the record of a rejected write contains the whole denial', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    const { pre } = agent.write('a.txt', 'x');
    expect(at.log('write.rejected')[0]?.['denial']).toEqual(pre.denial);
    expect(at.guard('log', '--raw', '--type', 'write.rejected').stdout).toMatch(
      /write\.rejected .* NOT_LOCKED +a\.txt/,
    );
  });

  it('is a sentence for people, with the name that an agent chose, even after it was written', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    agent.lock('a.txt');
    agent.guard('join', '--name', 'zed');
    const lines = at.guard('log', '--type', 'hold', 'agent.describe').stdout.trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}zed locked a\.txt$/),
      expect.stringMatching(/^ {11}\d\d:\d\d:\d\d {2}zed described itself$/),
    ]);
  });

  it('--since a time, a duration, or an lsn', () => {
    const { at, agent } = oneAgent();
    agent.lock('a.txt');
    const records = at.log();
    const last = records.at(-1);
    const since = (text: string) => at.guard('log', '--json', '--since', text).lines();
    expect(since('1h')).toHaveLength(records.length);
    expect(since('2000-01-01')).toHaveLength(records.length);
    expect(since(new Date(Date.now() + 60_000).toISOString())).toEqual([]);
    expect(since(String(last?.['lsn']))).toEqual([last]);
    expect(at.guard('log', '--since', 'yesterday').exit).toBe(64);
  });

  it('--follow continues with new records, and ends with Ctrl-C', async () => {
    const { at, agent } = oneAgent();
    agent.lock('before.txt');
    const following = at.startGuard({}, 'log', '--follow', '--json', '--type', 'hold', 'release');
    await until(() => following.told().includes('before.txt'), 20_000);
    agent.lock('a.txt');
    agent.guard('lock', 'release', 'a.txt');
    await until(() => following.told().includes('"release"'), 20_000);
    following.signal('SIGINT');
    const { exit, stdout } = await following.done;
    expect(exit).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { type: string }).type),
    ).toEqual(['hold', 'hold', 'release']);
  });

  it('--follow begins with the newest records for a person, and with --all at the first', async () => {
    const { at, agent } = oneAgent();
    for (let n = 0; n < 12; n++) agent.lock(`f${n}.txt`);
    const told = async (...options: readonly string[]): Promise<readonly string[]> => {
      const following = at.startGuard({}, 'log', '--follow', '--type', 'hold', ...options);
      await until(() => following.told().includes('f11.txt'), 20_000);
      following.signal('SIGINT');
      return (await following.done).stdout.trim().split('\n');
    };
    expect((await told()).map((line) => /f\d+/.exec(line)?.[0])).toEqual(
      Array.from({ length: 10 }, (_, n) => `f${n + 2}`),
    );
    expect(await told('--all')).toHaveLength(12);
    expect(await told('--since', '1h')).toHaveLength(12);
  });

  it('--agent takes the name that an agent chose, and fails for one that no record is of', () => {
    const { at, agent } = oneAgent();
    agent.guard('join', '--name', 'ann');
    agent.lock('a.txt');
    const holds = (name: string) => at.guard('log', '--json', '--type', 'hold', '--agent', name);
    expect(holds('ann').lines()).toEqual(holds(agent.name).lines());
    expect(holds('ann').lines()).toHaveLength(1);
    const nobody = at.guard('log', '--json', '--agent', 'anne');
    expect([nobody.exit, nobody.json()]).toMatchObject([64, { error: { code: 'GUARD_ERR_USAGE' } }]);
    expect(at.guard('explain', '--last', '--agent', 'anne').exit).toBe(64);
    // An id may be of an agent of long ago.
    expect(at.guard('log', '--agent', 'claude-long-gone').exit).toBe(0);
  });

  it('of an empty ledger is empty; outside of a guarded repository it fails in 2', () => {
    expect(scratch().guard('log', '--json', '--type', 'write').stdout).toBe('');
    expect(scratch({ init: null }).guard('log').exit).toBe(2);
  });
});
