/** What one run of an agent's session hands on to the next. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DraftState } from '../../src/core/drafts.ts';
import { dispatchLine } from '../../src/harness/dispatch-line.ts';
import { endingOf, type ProcessEnd, type Stopped } from '../../src/harness/ending.ts';
import { runOf } from '../../src/harness/run-of.ts';
import { advance, streamProgress } from '../../src/harness/stream.ts';

const REFUSED = join(import.meta.dirname, '../fixtures/streams/refused.jsonl');
const WELL: ProcessEnd = { exit_code: 0, signal: null, error: null, stderr: '' };
const BY_ITSELF: Stopped = { kill: null, exceeded: null };

describe('a run of the same session', () => {
  const usage = { turns: 2, cost_usd: 0.4, tools: {} };
  const before = streamProgress(readFileSync(REFUSED, 'utf8').trimEnd().split('\n'));

  it('that retries after a failure of the API needs what the run before it was refused', () => {
    const retry = { nth: 1, wait_ms: 30_000 } as unknown as NonNullable<DraftState['retry']>;
    const at = advance(before, dispatchLine({ dispatch: 2, usage, retry }));
    expect(at.usage).toMatchObject({ turns: 2, cost_usd: 0.4 });
    expect(endingOf(at, WELL, BY_ITSELF).needs).toEqual(endingOf(before, WELL, BY_ITSELF).needs);
    expect(endingOf(at, WELL, BY_ITSELF).needs?.denials).toHaveLength(3);
  });

  it('that a message begins needs only what it is refused itself', () => {
    const at = advance(before, dispatchLine({ dispatch: 2, usage, retry: null }));
    expect(endingOf(at, WELL, BY_ITSELF).needs).toBeNull();
  });

  it('has what is left of its share, as its client is told', () => {
    const draft = {
      id: 'a',
      dispatch: 2,
      has_session: true,
      share_usd: 1,
      usage,
      unheard: [],
    } as unknown as DraftState;
    const args = ['--session-id', 's', '--max-budget-usd', '1'];
    const given = runOf({ args, input: 'Do it.' }, draft, 'm').args;
    expect(given[given.indexOf('--max-budget-usd') + 1]).toBe('0.6');
    expect(given).toContain('--resume');
  });
});
