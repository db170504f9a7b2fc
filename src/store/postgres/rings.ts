/** Whether to wake waiters: a path may have become free, and an agent is queued for it. */
import { isObject } from '../../core/json-object.ts';
import { PATHS } from '../../core/keys.ts';
import type { Json, RecordBody } from '../../core/ledger.ts';

/** Types of records after which a path may be free. */
const FREES = /^(?:release|revoke|promise|unwait|command\.end)$/;

const isQueuedFor = (key: string, state: Json): boolean =>
  key.startsWith(PATHS) && isObject(state) && Array.isArray(state['queue']) && state['queue'].length > 0;

/** The end of a turn or of an agent voids leases without mentioning their paths, so who queues for them is not known. */
const isEnd = ({ type, phase }: RecordBody): boolean =>
  type === 'agent.leave' || (type === 'turn' && phase === 'end');

/** Null: if anyone waits in the repository. */
export function rings(records: readonly RecordBody[]): boolean | null {
  const isQueued = records.some(
    ({ type, s }) => FREES.test(type) && Object.entries(s).some(([key, state]) => isQueuedFor(key, state)),
  );
  return isQueued || (records.some(isEnd) ? null : false);
}
