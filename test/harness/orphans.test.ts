/** Processes that an agent started and released, without its mark and in their own session; and others' processes. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nativeCode } from '../../src/repo/native.ts';
import { harness, type Harness, until } from './harness.ts';

const GUARD = `"${process.execPath}" "${process.cwd()}/bin/guard.cjs"`;
let nth = 0;

/** A process that nothing ties to its agent: its parent is gone, its environment empty, its session its own. */
function daemon(): { readonly step: string; readonly pids: () => string[] } {
  const duration = `${40_000 + process.pid}.${++nth}`;
  const pids = (): string[] =>
    execFileSync('/bin/ps', ['-A', '-o', 'pid=,state=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter((row) => row.endsWith(`sleep ${duration}`) && !/^\s*\d+\s+Z/.test(row));
  return { step: `sh (setsid env -i sleep ${duration} > /dev/null 2>&1 &)`, pids };
}

const orphansFile = (at: Harness, id: string): string =>
  join(at.at.state, 'agents', id.slice('claude-'.length), 'orphans.json');

describe.runIf(process.platform === 'linux' && nativeCode().adopt !== undefined)(
  'a process without a mark',
  () => {
    it('ends when its agent is done', async () => {
      const at = harness();
      const { step, pids } = daemon();
      const id = at.draft('dev', [step, 'sleep 1500', 'result Done.']);
      await until(() => pids().length === 1, 15_000);
      expect(at.await(id)).toMatchObject({ status: 'completed' });
      expect(pids()).toEqual([]);
    });

    it('ends when its agent is killed, though the client had no time to say goodbye', async () => {
      const at = harness();
      const { step, pids } = daemon();
      const id = at.draft('dev', ['deaf', step, 'hang']);
      await until(() => pids().length === 1, 15_000);
      expect(at.guard('agent', 'kill', id).exit).toBe(0);
      expect(pids()).toEqual([]);
    });

    it('ends with the next look, when its supervisor was killed', async () => {
      const at = harness();
      const { step, pids } = daemon();
      const id = at.draft('dev', [step, 'hang']);
      await until(() => pids().length === 1 && existsSync(orphansFile(at, id)), 15_000);
      process.kill(at.supervisor(id), 'SIGKILL');
      expect(at.await(id)).toMatchObject({ status: 'failed' });
      expect(pids()).toEqual([]);
    });

    it('ends with its agent, though it says to be a program of the user’s own', async () => {
      const at = harness();
      const { step, pids } = daemon();
      const claims = step.replace('env -i', 'env -i GUARD_ENDED_AGENT=claude-x');
      const id = at.draft('dev', [claims, 'sleep 1500', 'result Done.']);
      await until(() => pids().length === 1, 15_000);
      expect(at.await(id)).toMatchObject({ status: 'completed' });
      expect(pids()).toEqual([]);
    });

    it('is no corpse when it ends before its agent', async () => {
      const at = harness();
      const id = at.draft('dev', ['sh for n in 1 2 3 4 5; do (setsid env -i true &); done', 'say 1', 'hang']);
      await until(() => at.list()[0]?.turns === 2, 15_000);
      const supervisor = at.supervisor(id);
      const corpses = (): number =>
        readdirSync('/proc')
          .filter((name) => /^\d+$/.test(name))
          .filter((name) => {
            try {
              return new RegExp(`\\) Z ${supervisor} `).test(readFileSync(`/proc/${name}/stat`, 'latin1'));
            } catch {
              return false;
            }
          }).length;
      await until(() => corpses() === 0, 5_000);
      expect(at.list()).toMatchObject([{ id, status: 'running' }]);
    });
  },
);

describe('what an agent left to go on', () => {
  it('an agent that it drafted works on when it is done', () => {
    const at = harness();
    const draft = `${GUARD} agent draft --role dev --json "sleep 2500\nresult Late."`;
    at.at.put('draft.sh', draft);
    const lead = at.draft('lead', ['sh sh draft.sh', 'result Done.']);
    expect(at.await(lead)).toMatchObject({ status: 'completed' });
    const child = at.list().find(({ depth }) => depth === 2);
    expect(at.await(child?.id ?? '')).toMatchObject({ status: 'completed', message: 'Late.' });
  });

  it('the user’s program that another agent’s supervisor started is the user’s, and nothing of that agent', async () => {
    const at = harness();
    mkdirSync(join(at.at.home, '.config/guard'), { recursive: true });
    // A worker may not draft, but this process, though released, remains the user's. Each end has a file of its own: the end of
    // the other agent, which this test kills, calls the program as well.
    const told = '"$HOME/told-$GUARD_ENDED_AGENT"';
    const line = `(sleep 2; ${GUARD} agent draft --role dev --json 'result x' > ${told}.new 2>&1; mv ${told}.new ${told}) &`;
    writeFileSync(
      join(at.at.home, '.config/guard/config.json'),
      JSON.stringify({ on_end: ['/bin/sh', '-c', line] }),
    );
    const other = at.draft('dev', ['say One.', 'hang']);
    const lost = at.draft('dev', ['say One.', 'hang']);
    await until(() => at.list().every(({ turns }) => turns === 1), 20_000);
    const supervisor = at.supervisor(other);
    process.kill(at.supervisor(lost), 'SIGKILL');
    // No other command looks: the other agent's supervisor finds it on its round.
    await until(() => at.at.log('exit').length === 1, 20_000);
    const children = (): readonly string[] =>
      readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, 'latin1').trim().split(' ');
    await until(() => children().length > 1, 10_000);
    expect(at.guard('agent', 'kill', other).exit).toBe(0);
    const ofLost = join(at.at.home, `told-${lost}`);
    await until(() => existsSync(ofLost), 20_000);
    const { agentId } = JSON.parse(readFileSync(ofLost, 'utf8')) as { agentId?: string };
    expect(at.await(agentId ?? 'nobody')).toMatchObject({ status: 'completed' });
    expect(at.list('--all').find(({ id }) => id === agentId)?.depth).toBe(1);
  });

  it('the user’s program that is told of an end is not ended with the agent above', async () => {
    const at = harness();
    mkdirSync(join(at.at.home, '.config/guard'), { recursive: true });
    const program = ['/bin/sh', '-c', 'sleep 3; echo "$GUARD_ENDED_ROLE" >> "$HOME/told"'];
    writeFileSync(join(at.at.home, '.config/guard/config.json'), JSON.stringify({ on_end: program }));
    const lead = at.draft('lead', [`sh ${GUARD} agent draft --role dev --wait "result x"`, 'result Done.']);
    expect(at.await(lead)).toMatchObject({ status: 'completed' });
    const told = join(at.at.home, 'told');
    await until(() => existsSync(told) && readFileSync(told, 'utf8').includes('dev'), 10_000);
  });
});
