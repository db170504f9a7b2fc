/** Sentences of record types that depend on one fact: for each type, a table of that fact's values. */
import { asText, parsedObject } from '../../core/json-object.ts';
import { asMessage } from '../../core/mailbox.ts';
import { age } from '../../core/time.ts';
import { namedFew, type RecordFacts } from './record-facts.ts';

type Cases = Readonly<Record<string, (facts: RecordFacts) => string>>;

const chosen =
  (fact: string, cases: Cases, usual: (facts: RecordFacts) => string) =>
  (facts: RecordFacts): string => {
    const value = facts.text(fact);
    return ((Object.hasOwn(cases, value) ? cases[value] : undefined) ?? usual)(facts);
  };

const because = (reason: string): string => (reason === '' ? '' : ` (${reason})`);

export const bypassSentence = chosen(
  'what',
  {
    off: ({ text, record }) => {
      const length_ms = Date.parse(text('until')) - Date.parse(record.ts);
      return `switched guard off${Number.isNaN(length_ms) ? '' : ` for ${age(length_ms)}`}`;
    },
    on: () => 'switched guard on',
    uninstall: () => 'uninstalled guard',
    init: () => 'weakened guard with guard init',
    changed: ({ text }) => `changed ${text('file')}, which keeps guard working, without approval`,
    shell: ({ files }) => `wrote ${files} with a command although the write had been denied`,
  },
  ({ files }) => `wrote ${files} without approval`,
);

export const draftSentence = chosen(
  'phase',
  {
    begin: ({ text, agents }) =>
      `was started as ${text('role') || 'an agent'}${text('drafted_by') === '' ? '' : ` by ${agents('drafted_by')}`}`,
    queue: () => 'was queued to be started',
    next: () => 'left the queue to be started',
    requeue: () => 'was put back in the queue',
    supervise: () => 'has a supervisor',
    setup: () => 'had its worktree set up',
    take_over: () => 'has a new supervisor',
    run: () => 'began to run',
    progress: () => 'made progress',
    say: ({ agents }) => `was sent a message by ${agents('by')}`,
    again: () => 'runs once more',
    lend: () => 'lent its place while it waits',
    kill: ({ text, agents }) => `was killed by ${agents('by') || 'guard'}${because(text('reason'))}`,
    settle: ({ text }) =>
      `had its worktree ${text('how') || 'settled'}${text('into') && ` into ${text('into')}`}`,
  },
  () => 'changed its state',
);

export const driftSentence = chosen(
  'author',
  {
    parsed: ({ files, agents }) => `noticed that a command of ${agents('agents')} changed ${files}`,
    suspected: ({ files, agents }) =>
      `noticed that ${files} changed, probably by a command of ${agents('agents')}`,
    ambiguous: ({ files, agents }) => `noticed that ${files} changed, by one of ${agents('agents')}`,
  },
  ({ files }) => `noticed that ${files} was changed outside guard`,
);

/** Empty if there is nothing to read: `readableRecords` hides what others wrote. The subject of a request is its kind. */
function about({ record, text }: RecordFacts): string {
  const { subject = '', body = '' } = asMessage(record.s[`message:${text('message')}`]) ?? {};
  const said = subject === text('kind') ? asText(parsedObject(body)['file']) : subject;
  return said === '' ? '' : `: ${said}`;
}

const to = ({ agents, text }: RecordFacts): string =>
  agents('to') || (text('topic') === '' ? 'everyone' : `topic ${text('topic')}`);

export const messageSentence = chosen(
  'kind',
  {
    'release-request': (facts) => `asked ${to(facts)} for a release${about(facts)}`,
    'release-ack': (facts) => `agreed to a release for ${to(facts)}${about(facts)}`,
    'release-defer': (facts) => `deferred a release for ${to(facts)}${about(facts)}`,
  },
  (facts) => `wrote to ${to(facts)}${about(facts)}`,
);

const lost = ({ files, list, count }: RecordFacts): string =>
  list('patterns').length > 0
    ? `lost its reservation of ${namedFew(list('patterns'))}`
    : `lost its ${count > 1 ? `${count} locks` : 'lock'} on ${files}`;
const toWhom = ({ agents }: RecordFacts): string => (agents('to') === '' ? '' : ` to ${agents('to')}`);

export const revokeSentence = chosen(
  'cause',
  {
    idle: (facts) => `${lost(facts)}${toWhom(facts)} (idle)`,
    delegated: (facts) => `${lost(facts)}${toWhom(facts)} (delegated)`,
    deadlock: (facts) => `${lost(facts)}${toWhom(facts)} (deadlock)`,
    expired: (facts) => `${lost(facts)}${toWhom(facts)} (expired)`,
    scope: (facts) => `${lost(facts)} (lease_scope changed)`,
    person: (facts) => `${lost(facts)} (taken back by ${facts.agents('to') || 'a person'})`,
    away: (facts) => `${lost(facts)}${toWhom(facts)} before it reported a write`,
  },
  (facts) => `${lost(facts)}${toWhom(facts)}`,
);

export const turnSentence = chosen(
  'phase',
  {
    start: () => 'began a turn',
    continue: () => 'got another prompt during its turn',
  },
  () => 'ended its turn',
);
