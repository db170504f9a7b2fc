/** Whether waiters are to be woken: a path may be free, and somebody queues for it. */
import { isObject } from '../../core/json-object.ts';
import { PATHS } from '../../core/keys.ts';
import type { Json, RecordBody } from '../../core/ledger.ts';

/** Records after which a path may be free. */
const FREES = /^(?:release|revoke|promise|unwait|command\.end)$/;

const isQueuedFor = (key: string, state: Json): boolean =>
  key.startsWith(PATHS) && isObject(state) && Array.isArray(state['queue']) && state['queue'].length > 0;

/** An end of a turn or of an agent voids leases without a word about their paths. */
const isEnd = ({ type, phase }: RecordBody): boolean =>
  type === 'agent.leave' || (type === 'turn' && phase === 'end');

export const rings = (records: readonly RecordBody[]): boolean =>
  records.some(
    (record) =>
      isEnd(record) ||
      (FREES.test(record.type) && Object.entries(record.s).some(([key, state]) => isQueuedFor(key, state))),
  );
