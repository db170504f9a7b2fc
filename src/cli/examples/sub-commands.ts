/** Further examples, only on the pages of sub-commands: the page of the command itself has one of each kind. */
import type { Example } from './example.ts';

const FOR_A_PROGRAM = 'for a program';

/** By the words of the sub-command. */
export const SUB_COMMAND_EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  'agent draft': [
    [
      'guard agent draft --role dev --plan plan.md --name router',
      'carry out a plan, under a name of your own',
    ],
  ],
  'agent run': [
    ['guard agent run plan.json --dry-run', 'only show what would be done'],
    ['guard agent run plan.json --json', FOR_A_PROGRAM],
  ],
  'agent await': [
    ['guard agent await ID OTHER --first', 'until one of them has ended'],
    ['guard agent await ID --json', 'its report, for a program'],
  ],
  'agent kill': [
    ['guard agent kill ID', 'end it without a reason'],
    ['guard agent kill ID --json', FOR_A_PROGRAM],
  ],
  'agent send': [
    ['guard agent send ID "Now the tests"', 'resume one that has ended'],
    ['guard agent send ID "Stop there" --json', FOR_A_PROGRAM],
  ],
  'agent list': [
    ['guard agent list --all --since 12h', 'also those that ended within twelve hours'],
    ['guard agent list --json', FOR_A_PROGRAM],
  ],
  'agent logs': [['guard agent logs ID', 'what it said and did until now']],
  'agent changes': [
    ['guard agent changes ID', 'what one agent left'],
    ['guard agent changes --json', FOR_A_PROGRAM],
  ],
  'agent merge': [
    ['guard agent merge ID', 'with its commits as they are'],
    ['guard agent merge ID --json', FOR_A_PROGRAM],
  ],
  'agent discard': [['guard agent discard ID --json', FOR_A_PROGRAM]],
  'agent prune': [
    ['guard agent prune --older 48h --apply', 'remove what ended two days ago or earlier'],
    ['guard agent prune --max-mb 500 --apply', 'also the oldest logs beyond 500 MB'],
  ],
  'agent stats': [
    ['guard agent stats ID', 'of one agent'],
    ['guard agent stats --json', FOR_A_PROGRAM],
  ],
  'role list': [['guard role list --json', 'with the faults of each file, for a program']],
  'role approve': [['guard role approve dev --json', 'the digest to approve, for a program']],
  'task create': [
    ['guard task create --description "A new router"', 'with a name made from the description'],
    ['guard task create router --json', FOR_A_PROGRAM],
  ],
  'task list': [['guard task list --json', FOR_A_PROGRAM]],
  'task context': [['guard task context router --json', FOR_A_PROGRAM]],
  'lock try': [
    ['guard lock try docs/plan.md --shared --ttl 1h', 'for reading, along with others, for an hour'],
  ],
  'lock wait': [
    ['guard lock wait src/a.ts src/b.ts --all', 'both or neither'],
    ['guard lock wait docs/plan.md --shared', 'for reading, along with others'],
  ],
  'lock release': [['guard lock release src/a.ts --json', FOR_A_PROGRAM]],
  'lock status': [['guard lock status src/a.ts docs/plan.md', 'who holds these files']],
  'message send': [
    ['guard message send "shall I merge?" --to ann --ack', 'and ask for an acknowledgement'],
    ['guard message send "1.2 is out" --topic releases', 'to those who follow a topic'],
  ],
  'message inbox': [
    ['guard message inbox --include-read', 'every message, oldest first'],
    ['guard message inbox --cursor m-1234 --json', 'all after one message, for a program'],
  ],
  'message thread': [['guard message thread t-1234 --json', FOR_A_PROGRAM]],
  'message ack': [
    ['guard message ack', 'who owes you an acknowledgement'],
    ['guard message ack m-1234 --json', FOR_A_PROGRAM],
  ],
  'message settings': [
    ['guard message settings --block bob', 'receive no messages from an agent'],
    ['guard message settings --json', 'what is set, for a program'],
  ],
  'negotiate request': [
    ['guard negotiate request "src/http/**" --of ann --reason "a fix" --urgent', 'for a folder, urgently'],
  ],
  'negotiate pending': [['guard negotiate pending --json', FOR_A_PROGRAM]],
  'negotiate respond': [
    [
      'guard negotiate respond THREAD --requester bob --file src/a.ts --defer 10m --reason "tests run"',
      'say when, and why',
    ],
  ],
  'fleet init': [
    ['guard fleet init', 'at the address in your configuration'],
    ['guard fleet init postgres://db.example/guard --json', FOR_A_PROGRAM],
  ],
  'fleet join': [['guard fleet join --json', FOR_A_PROGRAM]],
  'fleet leave': [
    ['guard fleet leave --without-engine', 'when its database is gone for good'],
    ['guard fleet leave --json', FOR_A_PROGRAM],
  ],
  'fleet status': [['guard fleet status --json', FOR_A_PROGRAM]],
  'fleet restored': [
    ['guard fleet restored', 'for as long as leases may last here'],
    ['guard fleet restored postgres://db.example/guard --json', FOR_A_PROGRAM],
  ],
  'fleet bench': [
    ['guard fleet bench --agents 100 --files 10000 --for 20s', 'at a smaller size'],
    ['guard fleet bench postgres://db.example/guard --json', FOR_A_PROGRAM],
  ],
  'fleet migrate': [
    ['guard fleet migrate postgres://db.example/guard', 'at another address'],
    ['guard fleet migrate --json', FOR_A_PROGRAM],
  ],
};
