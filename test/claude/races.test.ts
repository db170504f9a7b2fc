/** Simultaneous real processes. Sizes from the environment: GUARD_TEST_RACES rounds, GUARD_TEST_RACERS processes. */
import { describe, expect, it } from 'vitest';
import { oneAgent, scratch, Session, wrongs } from './driver.ts';

const RACES = Number(process.env['GUARD_TEST_RACES'] ?? 6);
const RACERS = Number(process.env['GUARD_TEST_RACERS'] ?? 32);

describe('two agents whose writes of one file are judged at the same moment', () => {
  it.each(['auto', 'standard'])('exactly one is approved, every time (preset %s)', async (preset) => {
    const at = scratch({ files: { 'a.txt': 'one\n' }, init: ['--preset', preset] });
    const agents = Array.from({ length: 2 }, () => new Session(at));
    for (let n = 0; n < RACES; n++) {
      // Two agents cannot share a lock, so they take it in turns.
      if (preset === 'standard') agents[n % 2]?.lock('a.txt');
      const calls = agents.map((agent) =>
        agent.call('Write', { file_path: at.path('a.txt'), content: String(n) }),
      );
      const answers = await Promise.all(
        agents.map((agent, who) => agent.preLater(calls[who] ?? agent.call('', {}))),
      );
      const approved = answers.filter(({ exit }) => exit === 0);
      expect(approved, JSON.stringify(answers.map(wrongs))).toHaveLength(1);
      for (const agent of agents) agent.stopped();
    }
    expect(at.log('intent')).toHaveLength(RACES);
  });
});

describe('one agent whose write is judged twice at the same moment (settings and plugin)', () => {
  it('is approved twice and recorded once', async () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    agent.lock('a.txt');
    for (let n = 0; n < RACES; n++) {
      const call = agent.call('Write', { file_path: at.path('a.txt'), content: 'x' });
      const answers = await Promise.all([agent.preLater(call), agent.preLater(call)]);
      expect(answers.map(({ exit }) => exit)).toEqual([0, 0]);
    }
    expect(at.log('intent')).toHaveLength(RACES);
  });

  it('is denied twice and recorded once', async () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    const call = agent.call('Write', { file_path: at.path('a.txt'), content: 'x' });
    const answers = await Promise.all([agent.preLater(call), agent.preLater(call)]);
    expect(answers.map(wrongs)).toEqual([['NOT_LOCKED'], ['NOT_LOCKED']]);
    expect(at.log('write.rejected')).toHaveLength(1);
  });
});

describe('many processes that want one lock at the same moment', () => {
  it('have one winner, and all others name it', { timeout: 120_000 }, async () => {
    const at = scratch();
    const agents = Array.from({ length: RACERS }, (_, n) => `racer-${n}`);
    const told = await Promise.all(
      agents.map((agent) => at.startGuard({}, 'lock', 'try', 'a.txt', '--agent', agent, '--json').done),
    );
    const results = told.map(({ stdout }) => (JSON.parse(stdout) as Results).results[0]);
    const winners = agents.filter((_, n) => results[n]?.acquired);
    expect(winners).toHaveLength(1);
    expect(told.map(({ exit }) => exit).sort()).toEqual([0, ...Array<number>(RACERS - 1).fill(1)]);
    const losers = results.filter((result) => result?.acquired === false);
    expect(new Set(losers.map((result) => result?.holder))).toEqual(new Set(winners));
    expect(at.log('hold')).toHaveLength(1);
  });
});

interface Results {
  readonly results: readonly { readonly acquired: boolean; readonly holder: string | null }[];
}
