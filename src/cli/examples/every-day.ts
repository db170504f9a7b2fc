import type { Examples } from './example.ts';

export const DAILY_EXAMPLES: Examples = {
  status: {
    examples: [
      ['guard status', 'what needs you, who is here, and who holds what'],
      ['guard status --watch', 'keep it on the screen'],
      ['guard status --all --json', 'all of it, for a program'],
    ],
  },
  watch: {
    examples: [
      ['guard watch', 'print a line when something needs a person'],
      ['guard watch --notify', 'also show a notification, or call your own program'],
      ['guard watch --json', 'one JSON object per line, for a program'],
    ],
  },
  lock: {
    examples: [
      ['guard lock try src/a.ts src/b.ts', 'take what is free'],
      ['guard lock try src/a.ts src/b.ts --all', 'both or neither'],
      ['guard lock wait src/a.ts --timeout 5m', 'wait for it, at most five minutes'],
      ['guard lock release --all-held', 'release every lock'],
      ['guard lock release src/a.ts', 'release one'],
      ['guard lock status', 'every lock and every reservation'],
      ['guard lock status src/a.ts --json', 'who holds it, and who is next'],
    ],
  },
  reserve: {
    examples: [
      ['guard reserve "src/http/**" --reason "new router"', 'keep a folder for 15 minutes'],
      ['guard reserve docs/ README.md --reason docs --ttl 2h --all', 'both or neither, for two hours'],
      ['guard reserve "src/**" --reason reading --shared', 'together with other shared reservations'],
    ],
  },
  unreserve: {
    examples: [
      ['guard unreserve r-1234', 'release one'],
      ['guard unreserve r-1234 r-1300', 'release two'],
      ['guard unreserve --all', 'release all of yours'],
    ],
  },
  reservations: {
    examples: [
      ['guard reservations', 'who reserved what, until when, and why'],
      ['guard reservations --mine', 'only yours'],
      ['guard reservations --json', 'for a program'],
    ],
  },
  conflicts: {
    examples: [
      ['guard conflicts "src/http/**"', 'could it be reserved now?'],
      ['guard conflicts src/a.ts docs/ --shared', 'as a shared reservation'],
      ['guard conflicts "src/**" --json', 'who is in the way, for a program'],
    ],
  },
  message: {
    examples: [
      ['guard message send "the router is done" --to ann', 'write to one agent'],
      ['guard message send "main is red" --all --importance high', 'write to everyone'],
      ['guard message inbox', 'your unread messages'],
      ['guard message thread t-1234', 'a conversation'],
      ['guard message ack m-1234', 'acknowledge a message'],
      ['guard message settings --follow releases', 'follow a topic'],
    ],
  },
  negotiate: {
    examples: [
      ['guard negotiate request src/a.ts --of ann --reason "a fix"', 'ask for a file'],
      ['guard negotiate request src/a.ts --of ann --reason "a fix" --wait 2m', 'and wait for the answer'],
      ['guard negotiate pending', 'what is asked of you, and by you'],
      ['guard negotiate respond THREAD --requester bob --file src/a.ts --release', 'release it'],
      ['guard negotiate respond THREAD --requester bob --file src/a.ts --defer 10m', 'say when'],
    ],
  },
  deadlock: {
    examples: [
      ['guard deadlock', 'who waits for whom in a cycle'],
      ['guard deadlock --mermaid', 'as a diagram'],
      ['guard deadlock --log trace.jsonl --json', 'from the log of another program'],
    ],
  },
  forecast: {
    examples: [
      ['guard forecast', 'what would conflict, and what to merge first'],
      ['guard forecast --trunk origin/main --json', 'against another trunk, for a program'],
      ['guard forecast --run "npm test"', 'run the tests on everything merged'],
    ],
  },
  check: {
    examples: [
      ['guard check --staged', 'would the next commit include files that others hold?'],
      ['guard check --staged --json', 'for a program'],
      ['guard init --git-hooks', 'let git ask before each commit'],
    ],
  },
  undo: {
    examples: [
      ['guard undo', 'what could be undone'],
      ['guard undo src/a.ts --dry-run', 'show the change without making it'],
      ['guard undo src/a.ts', 'revert the last change'],
    ],
  },
  blame: {
    examples: [
      ['guard blame src/a.ts', 'which agent wrote which lines'],
      ['guard blame src/a.ts --json', 'for a program'],
      ['guard blame /repo/src/a.ts', 'in another repository'],
    ],
  },
};
