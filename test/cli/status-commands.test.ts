/** `guard status` and `guard lock status` while commands run: which files they keep others from, and until when. */
import { expect, it } from 'vitest';
import { oneAgent } from '../claude/driver.ts';

interface Status {
  readonly commands: readonly Readonly<Record<string, unknown>>[];
  readonly leases: readonly Readonly<Record<string, unknown>>[];
}

it('names a command line that writes, its files and the lock that it took, until it ends', () => {
  const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
  at.git('add', '-A');
  const shown = () => at.guard('status', '--json').json() as Status;
  expect(shown().commands).toEqual([]);
  const reading = agent.call('Bash', { command: 'cat a.txt' });
  agent.pre(reading);
  expect(shown().commands).toEqual([]);
  agent.post(reading, { stdout: 'one\n', stderr: '' });
  const call = agent.call('Bash', { command: "sed -i 's/one/two/' a.txt" });
  expect(agent.pre(call).exit).toBe(0);
  const { commands, leases } = shown();
  expect(commands).toEqual([
    {
      agent: agent.name,
      op: call.id,
      paths: ['a.txt'],
      since: expect.stringMatching(/^20.*Z$/) as string,
      in_background: false,
    },
  ]);
  expect(leases).toMatchObject([{ path: 'a.txt', command: call.id }]);
  expect(at.guard('lock', 'status', '--json').json()).toMatchObject({
    results: [{ filepath: 'a.txt', holder: agent.name, command: call.id }],
  });
  expect(at.guard('lock', 'status').stdout).toMatch(/a\.txt: .* at the latest, with its command\n/);
  const { stdout } = at.guard('status');
  const [{ name }] = (at.guard('status', '--json').json() as { agents: [{ name: string }] }).agents;
  expect(stdout).toMatch(new RegExp(`Commands that write\n *${name} +\\d+s +a\\.txt\n`));
  expect(stdout).toMatch(/a\.txt .*until its command ends/);
  agent.post(call, { stdout: '', stderr: '' });
  expect(shown()).toMatchObject({ commands: [], leases: [] });
});

it('says that one runs in the background, and an ordinary lock has no command', () => {
  const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n', 'b.txt': 'one\n' } });
  at.git('add', '-A');
  agent.lock('b.txt');
  const call = agent.call('Bash', { command: 'sleep 1 && sed -i s/one/two/ a.txt', run_in_background: true });
  expect(agent.pre(call).exit).toBe(0);
  agent.post(call, { stdout: '', stderr: '', backgroundTaskId: 'b1' });
  const { commands, leases } = at.guard('status', '--json').json() as Status;
  expect(commands).toMatchObject([{ paths: ['a.txt'], in_background: true }]);
  expect(leases.map(({ path, command }) => [path, command])).toEqual([
    ['a.txt', call.id],
    ['b.txt', undefined],
  ]);
  expect(at.guard('status').stdout).toMatch(/in the background +a\.txt/);
});
