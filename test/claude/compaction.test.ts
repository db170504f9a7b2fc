/** A long ledger is compacted by a separate process, for which no hook waits. */
import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readNow } from '../../src/repo/clock.ts';
import { openEmbedded } from '../store/plain.ts';
import { oneAgent, type Scratch } from './driver.ts';

const RECORD_BYTES = 15 * 1024 * 1024;
/** Twice the size that is kept (64 MiB), and one more. */
const RECORDS = 10;
const PATIENCE_MS = 50_000;

function grow(state_dir: string): void {
  const store = openEmbedded(state_dir, { now: readNow });
  const pad = 'x'.repeat(RECORD_BYTES);
  for (let n = 0; n < RECORDS; n++) {
    const records = [{ type: 'test', agent: 'a', ts_ms: 0, pad, s: { [`test:${n}`]: n } }];
    store.transactSync([], () => ({ records, result: null }));
  }
}

async function waitFor(condition: () => boolean): Promise<void> {
  const end_ms = Date.now() + PATIENCE_MS;
  while (!condition() && Date.now() < end_ms) await new Promise((resolve) => setTimeout(resolve, 50));
}

it.each([
  ['a guarded repository', [], (at: Scratch) => at.state],
  ['files outside of them', null, (at: Scratch) => join(at.home, '.local/state/guard')],
])(
  'the ledger of %s is compacted when a session starts and finds it too long',
  async (_, init, stateOf) => {
    const { at, agent } = oneAgent({ init, files: { 'a.txt': 'one\n' } });
    agent.read('a.txt');
    const state = stateOf(at);
    grow(state);
    const archive = join(state, 'archive');
    agent.start();
    const archived = (): string[] => (fs.existsSync(archive) ? fs.readdirSync(archive) : []);
    await waitFor(() => archived().length > 3);
    expect(archived()).toContain('ledger-000000000001.jsonl');
    const store = openEmbedded(state, { now: readNow });
    expect(store.lookSync((view) => view.range('test:').length)).toBe(RECORDS);
  },
  PATIENCE_MS * 2,
);
