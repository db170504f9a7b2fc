/** For every type of record, what its agent did: the rest of a sentence that begins with the agent's name. */
import type { RECORD_TYPES } from '../../core/record-types.ts';
import {
  bypassSentence,
  draftSentence,
  driftSentence,
  messageSentence,
  revokeSentence,
  turnSentence,
} from './record-cases.ts';
import { counted } from './counted.ts';
import { denialCode } from './record-line.ts';
import { namedFew, type RecordFacts } from './record-facts.ts';

export type RecordSentence = (facts: RecordFacts) => string;

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');
const after = (word: string, text: string): string => (text === '' ? '' : `${word} ${text}`);
const bracketed = (text: string): string => (text === '' ? '' : `(${text})`);
const patterns = ({ list }: RecordFacts): string => namedFew(list('patterns'));

const JOINED: Readonly<Record<string, string>> = {
  subagent: 'joined as a subagent',
  person: 'joined as a person',
};

const UNWAITED: Readonly<Record<string, string>> = {
  timeout: '(timed out)',
  cancelled: '(cancelled)',
  deadlock: '(deadlock)',
};

const denied = ({ files, record }: RecordFacts): string =>
  joined('was denied', files === '' ? 'a command' : `a write to ${files}`, bracketed(denialCode(record)));

function waits(facts: RecordFacts): string {
  const { text, files, agents } = facts;
  if (text('for') !== '') return `is waiting for ${agents('for')} to finish`;
  const began = text('kind') === 'wanted' ? `could not lock ${files}` : `is waiting for ${files}`;
  return joined(began, bracketed(after('held by', agents('holders'))));
}

const held = (facts: RecordFacts): string =>
  patterns(facts) === ''
    ? joined('locked', facts.files, bracketed(facts.text('mode') === 'shared' ? 'shared' : ''))
    : joined('reserved', patterns(facts), bracketed(facts.text('reason')));

function released(facts: RecordFacts): string {
  if (facts.isTrue('all')) return 'released everything it held';
  return patterns(facts) === ''
    ? `released ${facts.files}`
    : `released its reservation of ${patterns(facts)}`;
}

const CONTENTS: Readonly<Record<string, string>> = {
  differs: '(not with the approved content)',
  unknown: '(content not known)',
};

export const RECORD_SENTENCES: Readonly<Record<(typeof RECORD_TYPES)[number], RecordSentence>> = {
  ack: ({ text, agents }) => joined('acknowledged message', text('message'), after('from', agents('from'))),
  'agent.describe': ({ text }) => joined('described itself', bracketed(text('status'))),
  'agent.join': ({ text }) => (text('how') === 'returned' ? 'came back' : (JOINED[text('kind')] ?? 'joined')),
  'agent.leave': ({ text }) => joined('left', bracketed(text('reason'))),
  bypass: bypassSentence,
  call: ({ text }) =>
    text('phase') === 'begin'
      ? joined('began a long call', after('of', text('tool')))
      : 'finished a long call',
  'command.end': ({ files }) => joined('finished a command', after('that writes', files)),
  deadlock: ({ agents, list }) =>
    `found a deadlock: ${agents('victim')} must ${after('release', namedFew(list('release'))) || 'stop waiting'}`,
  draft: draftSentence,
  drift: driftSentence,
  escalate: ({ agents, text }) =>
    `noted that ${agents('from')} has waited ${counted(Number(text('age_minutes')), 'minute')} for an answer from ${agents('to')} about ${text('file')}`,
  'event.forged': ({ agents, text }) =>
    `sent a forged ${text('event')} event, which was ignored (it claimed to be ${agents('claimed')})`,
  exit: ({ text }) => joined('ended:', text('status'), bracketed(text('reason'))),
  hold: held,
  'hook.added': ({ text }) => `added a ${text('event')} hook to ${text('file')}: ${text('command')}`,
  intent: ({ files }) => `may write ${files}`,
  'ledger.archive_cut': ({ record: { segments } }) =>
    `deleted ${counted(Array.isArray(segments) ? segments.length : 0, 'archived segment')}`,
  'ledger.carry': ({ record }) => `carried over ${counted(Object.keys(record.s).length, 'state')}`,
  'ledger.closed': () => 'closed this ledger, which another one replaced',
  'ledger.compact': ({ text }) =>
    text('cause') === 'quarantine'
      ? `began a new ledger at lsn ${text('first')}, with the damaged one in quarantine`
      : `compacted the ledger: it now begins at lsn ${text('first')}`,
  'ledger.copied': () => 'adopted a copy of the ledger; the locks in it ended',
  'ledger.cut': ({ text }) =>
    `cut ${counted(Number(text('bytes')), 'byte')} off the end of ${text('file')} (${text('cause')})`,
  'ledger.index': () => 'added index keys that an older version had not written',
  'machine.beat': ({ text }) => `heard from machine ${text('machine')}`,
  'machine.leave': ({ text }) => `removed machine ${text('machine')} and released all that its agents held`,
  message: messageSentence,
  prefer: ({ list }) => {
    const changed = ['block', 'unblock', 'follow', 'unfollow'].map((what) =>
      after(what, namedFew(list(what))),
    );
    return joined('changed which messages it receives', bracketed(changed.filter(Boolean).join(', ')));
  },
  promise: ({ files, agents }) =>
    `is next in line for ${files}${agents('by') === '' ? '' : `, which ${agents('by')} released`}`,
  read: ({ list }) => `read ${counted(list('messages').length, 'message')}`,
  release: released,
  renew: (facts) =>
    joined(
      ...(patterns(facts) === '' ? ['is still active'] : ['extended its reservation of', patterns(facts)]),
    ),
  revoke: revokeSentence,
  told: ({ list }) => {
    const [messages, freed] = [list('messages').length, namedFew(list('freed'))];
    const parts = [
      messages > 0 ? `saw ${counted(messages, 'message')}` : '',
      after('learned of the release of', freed),
    ];
    return parts.filter(Boolean).join(' and ') || 'saw what guard had noticed';
  },
  turn: turnSentence,
  unwait: ({ files, agents, text }) =>
    joined('stopped waiting for', text('for') === '' ? files : agents('for'), UNWAITED[text('cause')] ?? ''),
  wait: waits,
  'worktree.removed': ({ text }) => `removed the worktree ${text('worktree')}`,
  write: ({ files, text }) => joined('wrote', files, CONTENTS[text('content')] ?? ''),
  'write.raced': ({ files }) => `overwrote ${files}, which had changed after the approval`,
  'write.rejected': denied,
};
