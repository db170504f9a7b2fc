/** What an agent may read of the ledger through guard: everything except messages that it neither sent nor received. */
import { asMessage } from '../../core/mailbox.ts';
import type { Json, LedgerRecord } from '../../core/ledger.ts';
import { unlessRefused } from '../../core/attempt.ts';
import { isOwnMessage, isPerson } from '../../core/speakers.ts';
import type { AgentId } from '../../core/types.ts';
import type { OpenedLedger } from '../../workspace/open-ledger.ts';
import { callerOf } from '../caller.ts';
import type { Shell } from '../shell.ts';

const MESSAGES = 'message:';
const HIDDEN = '[between others]';

export function readableRecords(
  { env }: Shell,
  ledger: OpenedLedger,
): (record: LedgerRecord) => LedgerRecord {
  const reader = readerOf(env, ledger);
  if (reader !== null && isPerson(reader)) return (record) => record;
  return (record) => {
    const messages = Object.keys(record.s).filter((key) => key.startsWith(MESSAGES));
    if (messages.length === 0) return record;
    const s = { ...record.s };
    for (const key of messages) s[key] = readable(s[key], reader);
    return { ...record, s };
  };
}

/** `null` if it is unknown which agent is reading: then it may read no one's messages. */
const readerOf = (env: Shell['env'], ledger: OpenedLedger): AgentId | null =>
  unlessRefused<AgentId | null>(
    () => callerOf({ env, ...ledger }, undefined).id,
    () => null,
  );

function readable(state: Json | undefined, reader: AgentId | null): Json {
  const message = asMessage(state);
  if (message === null) return null;
  if (reader !== null && isOwnMessage(message, reader)) return state ?? null;
  return { ...message, body: HIDDEN, subject: HIDDEN };
}
