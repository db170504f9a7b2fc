/** A file released on request, between processes: a bystander that retries in a loop loses to the requester. */
import { describe, expect, it } from 'vitest';
import { scratch } from '../claude/driver.ts';

interface Row {
  readonly acquired: boolean;
  readonly holder: string | null;
  readonly because?: string;
}

describe('a negotiated release', () => {
  it.each([
    [
      'negotiate respond',
      (thread: string) => [
        'negotiate',
        'respond',
        thread,
        '--requester',
        'asker',
        '--file',
        'a',
        '--release',
      ],
    ],
    ['lock release', () => ['lock', 'release', 'a']],
  ])('by guard %s goes to the asker, however often somebody else tries meanwhile', async (_, release) => {
    const at = scratch();
    const as = (agent: string, ...args: string[]) => at.guard(...args, '--agent', agent, '--json');
    as('holder', 'lock', 'try', 'a');
    const ask = [
      'negotiate',
      'request',
      'a',
      '--of',
      'holder',
      '--reason',
      'r',
      '--agent',
      'asker',
      '--json',
    ];
    const asked = at.guard(...ask).json() as { thread_id: string };
    const rows: Row[] = [];
    const over = { is: false };
    const bystander = (async () => {
      while (!over.is || rows.length === 0) {
        const done = await at.startGuard({}, 'lock', 'try', 'a', '--agent', 'bystander', '--json').done;
        rows.push(...(JSON.parse(done.stdout) as { results: Row[] }).results);
      }
    })();
    await at.startGuard({}, ...release(asked.thread_id), '--agent', 'holder', '--json').done;
    // Let the bystander look at the free file before the requester does.
    const seen = rows.length;
    while (rows.length < seen + 2) await new Promise((resolve) => setTimeout(resolve, 10));
    const got = at.startGuard({}, 'lock', 'try', 'a', '--agent', 'asker', '--json');
    expect((await got.done).exit).toBe(0);
    over.is = true;
    await bystander;
    expect(rows.filter(({ acquired }) => acquired)).toEqual([]);
    expect(rows).toContainEqual(expect.objectContaining({ because: 'queue', holder: 'asker' }));
    expect(at.guard('verify').exit).toBe(0);
  });
});
