/** Commands that read the ledger, on machines that share one. */
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { recordBypass } from '../../../src/cli/record-bypass.ts';
import type { Shell } from '../../../src/cli/shell.ts';
import { readNow } from '../../../src/repo/clock.ts';
import { locateRepo } from '../../../src/repo/locate.ts';
import { Session, working } from '../../claude/driver.ts';
import { hasPostgres } from '../../store/postgres/programs.ts';
import { sharedCluster } from '../../store/postgres/shared.ts';
import { two } from '../two-machines.ts';

describe.skipIf(!hasPostgres())('on a ledger that machines share', () => {
  test('the log is that of all machines, from where it was asked, and goes back to the move', async () => {
    const [a, b] = two(await sharedCluster());
    const agent = working(a);
    agent.lock('a.txt');
    agent.edit('a.txt', '1\n', '2\n');
    const all = b.guard('log', '--json').lines();
    const [write] = all.filter(({ type }) => type === 'write');
    // A write belongs to one checkout, so the record's path names the checkout.
    const path = expect.stringMatching(/^\/\/~@[^/]+\/a\.txt$/) as string;
    expect(write).toMatchObject({ agent: agent.name, path });
    const since = b.guard('log', '--json', '--since', String(write?.['lsn'])).lines();
    expect(since[0]).toMatchObject({ lsn: write?.['lsn'] });
    expect(b.guard('log', '--json', '--archived').lines()).toEqual(all);
  });

  test('a write is undone in the checkout where it happened', async () => {
    const [a] = two(await sharedCluster());
    const agent = working(a);
    agent.read('a.txt');
    agent.lock('a.txt');
    agent.edit('a.txt', '1\n', '2\n');
    agent.guard('lock', 'release', 'a.txt');
    expect(a.guard('undo', 'a.txt')).toMatchObject({ exit: 0 });
    expect(a.read('a.txt')).toBe('1\n');
    expect(a.guard('blame', 'a.txt').exit).toBe(0);
  });

  test('a pause by a person is recorded for every agent', async () => {
    const [a, b] = two(await sharedCluster());
    const told: string[] = [];
    const shell = { env: a.env, err: (text: string) => void told.push(text) } as unknown as Shell;
    recordBypass(locateRepo(a.root), shell, readNow(), { what: 'off' });
    expect(told).toEqual([]);
    expect(b.guard('log', '--json', '--type', 'bypass').lines()).toMatchObject([{ what: 'off' }]);
  });

  test('compacting tidies local files, and says who is responsible for the rest; verifying is left to the database', async () => {
    const [a] = two(await sharedCluster());
    const before = fs.readdirSync(a.state).filter((name) => name.startsWith('ledger-'));
    const compacted = a.guard('compact');
    expect(compacted).toMatchObject({ exit: 0, stdout: expect.stringContaining('database') as string });
    expect(a.guard('compact', '--json').json()).toMatchObject({ due: false, contents: { removed: 0 } });
    expect(fs.readdirSync(a.state).filter((name) => name.startsWith('ledger-'))).toEqual(before);
    expect(a.guard('verify').stderr).toContain('GUARD_ERR_FLEET');
  });

  test('who holds what is fenced off by the clock and the machines of that ledger', async () => {
    const [a, b] = two(await sharedCluster());
    const [holder, other] = [working(a), working(b)];
    holder.lock('a.txt');
    const file = `${b.home}/env`;
    b.hook(
      { ...other.payload('SessionStart', { source: 'startup' }) },
      { ...other.env, CLAUDE_ENV_FILE: file },
    );
    if (!fs.existsSync(`${b.state}/fence/held`)) return;
    expect(fs.readFileSync(`${b.state}/fence/held`, 'utf8')).toContain(`${b.root}/a.txt`);
    holder.guard('lock', 'release', 'a.txt');
    new Session(a, { id: 'third' }).lock('b.txt');
    other.pre(other.call('Bash', { command: 'true' }));
    const held = fs.readFileSync(`${b.state}/fence/held`, 'utf8');
    expect([held.includes('/a.txt'), held.includes('/b.txt')]).toEqual([false, true]);
  });
});
