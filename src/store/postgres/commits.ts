/** A commit is one query, which is repeated under the same nonce until its outcome is known. */
import { randomUUID } from 'node:crypto';
import type { RecordBody } from '../../core/ledger.ts';
import { explicitIds } from '../explicit-ids.ts';
import type { Committed, Read } from '../store.ts';
import { bytesOfKey } from './key-bytes.ts';
import { type Answered, listParameters, readLook } from './looks.ts';
import { openCommit } from './open-numbers.ts';
import type { Connected } from './connected.ts';
import { parsed } from './parsed.ts';
import { rings } from './rings.ts';

const VERDICTS = ['done', 'repeated'] as const;

/** In the order of the parameters of `guard.commit_2`. */
function parametersOf({ keys, lists }: Read, given: readonly RecordBody[]): readonly unknown[] {
  const { written, stamps, content, gaps, span } = openCommit(given);
  const ids = explicitIds(given);
  return [
    [...keys.keys()].map(bytesOfKey),
    [...keys.values()],
    ...listParameters(lists),
    lists.map(({ version }) => version),
    ids.map(([agent]) => bytesOfKey(agent)),
    ids.map(([, id]) => bytesOfKey(id)),
    written.map(({ key }) => key),
    written.map(({ open_at }) => open_at),
    written.map(({ rec_at }) => rec_at),
    stamps,
    content,
    gaps,
    span,
    rings(given),
  ];
}

export async function commitOver(
  engine: Connected,
  read: Read,
  records: readonly RecordBody[],
  id?: string,
): Promise<Committed> {
  if (records.length === 0) return { verdict: 'done', lsn: read.tip };
  const given = records.map((body, at) => (at === 0 && id !== undefined ? { id, ...body } : body));
  const values = [engine.repository, randomUUID(), engine.seen(), read.tip, ...parametersOf(read, given)];
  const answer = await engine.line.call('commit_2', values);
  const verdict = VERDICTS.find((one) => one === answer['verdict']);
  if (verdict !== undefined) {
    const lsn = Number(answer['lsn']);
    engine.see(lsn);
    return { verdict, lsn };
  }
  const look = parsed(answer['look'], engine.line.server) as Answered;
  engine.see(look.top);
  return { verdict: 'moved', look: readLook(look, [...read.keys.keys()], read.lists) };
}
