/** Whether to wake waiters: a path may have become free, and an agent is queued for it. */
import { isObject } from '../../core/json-object.ts';
import { PATHS } from '../../core/keys.ts';
import type { Json, RecordBody } from '../../core/ledger.ts';

/** Types of records after which a path may be free. */
const FREES = /^(?:release|revoke|promise|unwait|command\.end)$/;

const isQueuedFor = (key: string, state: Json): boolean =>
  key.startsWith(PATHS) && isObject(state) && Array.isArray(state['queue']) && state['queue'].length > 0;

/** The end of a turn or of an agent voids leases without mentioning their paths. */
const isEnd = ({ type, phase }: RecordBody): boolean =>
  type === 'agent.leave' || (type === 'turn' && phase === 'end');

export const rings = (records: readonly RecordBody[]): boolean =>
  records.some(
    (record) =>
      isEnd(record) ||
      (FREES.test(record.type) && Object.entries(record.s).some(([key, state]) => isQueuedFor(key, state))),
  );
