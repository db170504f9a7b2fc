/** A record as a line for people: when, who, and what happened. */
import type { LedgerRecord } from '../../core/ledger.ts';
import { agentOfKey } from '../../core/keys.ts';
import { localDate, localTime } from '../../core/local-time.ts';
import { plain } from '../../core/plain.ts';
import { asProfile, profilesIn, PROFILES } from '../../core/profiles.ts';
import type { AgentId } from '../../core/types.ts';
import type { Sight } from '../../store/store.ts';
import type { Colors } from '../colors.ts';
import type { Shell } from '../shell.ts';
import { recordFacts } from './record-facts.ts';
import { recordLine } from './record-line.ts';
import { RECORD_SENTENCES, type RecordSentence } from './record-sentences.ts';

/** The names that agents chose, as of a point in the ledger. */
export interface KnownNames {
  readonly tip: number;
  readonly names: ReadonlyMap<AgentId, string>;
}

export const NO_NAMES: KnownNames = { tip: 0, names: new Map() };

export const chosenNames = (view: Sight): KnownNames => ({
  tip: view.tip,
  names: new Map([...profilesIn(view)].flatMap(([id, { name }]) => (name === null ? [] : [[id, name]]))),
});

const TONES: Readonly<Record<string, keyof Colors>> = {
  bypass: 'red',
  deadlock: 'red',
  'event.forged': 'red',
  'write.raced': 'red',
  'write.rejected': 'red',
  drift: 'yellow',
  escalate: 'yellow',
  'hook.added': 'yellow',
  revoke: 'yellow',
};

const SENTENCES: ReadonlyMap<string, RecordSentence> = new Map(Object.entries(RECORD_SENTENCES));

/** The returned function remembers the day and the names, so call it once for every record, in order. */
export function logLines(shell: Shell, { tip, names }: KnownNames): (record: LedgerRecord) => string {
  const { color } = shell;
  const called = new Map(names);
  const when = timesOfDay();
  return (record) => {
    if (record.lsn >= tip) learnNames(called, record);
    const sentence = SENTENCES.get(record.type);
    // A type that only a newer guard knows.
    if (sentence === undefined) return recordLine(record, shell);
    const nameOf = (id: AgentId): string => called.get(id) ?? id;
    const what = plain(sentence(recordFacts(record, nameOf)));
    const tone = TONES[record.type];
    const told = tone === undefined ? what : color[tone](what);
    return `${color.dim(when(record.ts))}  ${color.bold(plain(nameOf(record.agent)))} ${told}`;
  };
}

function learnNames(called: Map<AgentId, string>, { s }: LedgerRecord): void {
  for (const [key, state] of Object.entries(s)) {
    if (!key.startsWith(PROFILES)) continue;
    const { name } = asProfile(state);
    if (name === null) called.delete(agentOfKey(key));
    else called.set(agentOfKey(key), name);
  }
}

const DAY_CHARS = '2026-01-31'.length;

/** The local time; the date is shown only if it differs from the line before. */
function timesOfDay(): (ts: string) => string {
  let last = '';
  return (ts) => {
    const at_ms = Date.parse(ts);
    if (Number.isNaN(at_ms)) return ts;
    const day = localDate(at_ms);
    const shown = day === last ? ' '.repeat(DAY_CHARS) : day;
    last = day;
    return `${shown} ${localTime(at_ms)}`;
  };
}
