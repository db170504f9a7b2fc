/** Agents whose supervisor is gone while no other process looks: their own hooks end them, and no answer is lost. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isDead } from '../../src/repo/process.ts';
import { harness, type Harness, until } from './harness.ts';
import { markOf } from './left.ts';

const BLOCK = 'Done.\\n```json\\n{"summary":"did it","changes":["a"],"issues":[],"questions":[]}\\n```';
const waitFor = (file: string): string => `sh while ! test -e ${file}; do sleep 0.05; done`;

/** Reads only the ledger, since commands would look after agents. */
const endsOnRecord = (at: Harness): readonly Record<string, unknown>[] => at.at.log('exit');

async function orphaned(at: Harness, role: string, steps: readonly string[]): Promise<string> {
  const id = at.draft(role, ['say One.', waitFor('alone'), ...steps]);
  await until(() => at.list()[0]?.turns === 1, 20_000);
  const supervisor = at.supervisor(id);
  const mark = markOf(supervisor);
  process.kill(supervisor, 'SIGKILL');
  await until(() => isDead(mark), 5_000);
  writeFileSync(at.at.path('alone'), '');
  return id;
}

describe('an agent whose supervisor was killed', () => {
  it.each(['PreToolUse', 'Stop'])('is ended by its own hook (%s), and nobody has to look', async (event) => {
    const at = harness();
    const id = await orphaned(at, 'dev', ['note Two.', `hook ${event}`, 'hang']);
    await until(() => endsOnRecord(at).length === 1, 20_000);
    expect(endsOnRecord(at)).toMatchObject([
      { agent: id, status: 'failed', reason: 'its supervisor died', last_output: 'Two.' },
    ]);
    expect(at.processes(id)).toEqual([]);
  });

  it('has reported, if its client wrote a report down', async () => {
    const at = harness();
    const id = await orphaned(at, 'dev', [`note ${BLOCK}`, 'hook Stop', 'hang']);
    await until(() => endsOnRecord(at).length === 1, 20_000);
    expect(at.await(id)).toMatchObject({ status: 'completed', turns: 2, result: { summary: 'did it' } });
  });
});

describe('an agent that nobody could look after', () => {
  it('says how it is taken up again, and is', async () => {
    const at = harness();
    const id = await orphaned(at, 'dev', ['hang']);
    const lost = at.await(id);
    expect(lost).toMatchObject({
      status: 'failed',
      reason: 'its supervisor died',
      hint: expect.stringContaining('guard agent send') as string,
    });
    expect(at.guard('agent', 'send', id, 'result Done after all.').exit).toBe(0);
    expect(at.await(id)).toMatchObject({ status: 'completed', message: 'Done after all.' });
  });
});

describe('an agent that is looked after', () => {
  it('hears nothing of these hooks', () => {
    const at = harness();
    const id = at.draft('dev', ['hook PreToolUse', 'hook Stop', 'result Done.']);
    expect(at.await(id)).toMatchObject({ status: 'completed', message: 'Done.' });
  });
});
