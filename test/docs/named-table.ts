/** How the command lines that the documents name in running text are run by named-lines.test.ts, and which are not run there. */

/** Run by another test, which contains this text: they last until they are ended, or need a database, a client or a terminal. */
export const NAMED_ELSEWHERE: readonly (readonly [line: RegExp, test: string, contains: string])[] = [
  [/^guard hook\b/, 'test/threat-model/beside.test.ts', "'hook'"],
  [/^guard mcp\b/, 'test/mcp/client.ts', "'mcp'"],
  [/^guard serve\b/, 'test/http/serving.test.ts', "'serve'"],
  [/^guard watch\b/, 'test/cli/watch.test.ts', "'watch'"],
  [/^guard deadlock --watch$/, 'test/cli/deadlock-watch.test.ts', "'--watch'"],
  [/^guard forecast --watch$/, 'test/cli/forecast.test.ts', "'--watch'"],
  [/^guard statusline$/, 'test/cli/statusline.test.ts', "'statusline'"],
  [/^guard git-hook /, 'test/cli/commands/git-hook.place.ts', 'git-hook'],
  [/^guard explain$/, 'test/cli/explain.test.ts', "'explain'"],
  [/^guard init --(?:join|leave)\b/, 'test/cli/commands/init.join.test.ts', "'--leave'"],
  [/^guard init --worktrees$/, 'test/e2e/own-worktrees.test.ts', "'--worktrees'"],
  [/^guard fleet /, 'test/cli/commands/fleet.test.ts', "'fleet'"],
  [
    /^guard replay test\/replay\/sessions --ci$/,
    'test/replay/sessions.test.ts',
    "['replay', '--ci', '--json', SESSIONS]",
  ],
  [/^guard role approve /, 'test/harness/worktree-setup.test.ts', "'role', 'approve'"],
  [
    /^guard agent (?:run|attach|await|draft|send|kill|merge|discard|logs)\b/,
    'test/harness/life.test.ts',
    "'draft'",
  ],
];

/** What a placeholder stands for in the scratch repository, and what a line leaves out that it needs to be complete. */
export const NAMED_MEANT: readonly (readonly [shown: RegExp, put: string])[] = [
  [/^guard (explain) EVENT\.json/, 'guard $1 event.json'],
  [/^guard replay FILE/, 'guard replay sessions'],
  [/^guard log --otlp FILE/, 'guard log --otlp trace.json'],
  [/^guard init --host NAME/, 'guard init --host codex'],
  [/^guard lock (try|wait|status|release) (?:FILE|PATH)/, 'guard lock $1 own.ts'],
  [/^guard worktree add NAME/, 'guard worktree add tree'],
  [/^guard task context SLUG/, 'guard task context search'],
  [/^guard unreserve ID/, 'guard unreserve {reservation}'],
  [/^guard message send BODY$/, '$& --to {holder}'],
  [/^guard message (thread|ack) ID/, 'guard message $1 {$1} --agent {holder}'],
  [/^guard negotiate request FILE/, 'guard negotiate request held.ts'],
  [/^guard negotiate respond THREAD --requester AGENT --file PATH$/, '$& --defer 10m'],
  [
    /^guard negotiate respond THREAD --requester AGENT --file (?:PATH|FILE)/,
    'guard negotiate respond {thread} --requester {requester} --file held.ts --agent {holder}',
  ],
  [/\b(?:AGENT|HOLDER)\b/g, '{holder}'],
  [/\b(?:TEXT|BODY)\b/g, 'text'],
  [/\bLSN\b/g, '{lsn}'],
  [/\bGLOB\b/g, "'lib/**'"],
  [/\b(?:NEWNAME|FILE|PATH)\b/g, 'src/a.ts'],
];

/** Exit codes other than 0, and why. */
export const NAMED_EXITS: readonly (readonly [line: RegExp, code: number, why: string])[] = [
  [/^guard explain EVENT\.json$/, 1, 'the event would be denied'],
  [/^guard verify --user$/, 2, 'there is no ledger of the user, only the repository’s'],
];

/** From these on, what the other lines need is gone. */
export const NAMED_LAST = ['guard off', 'guard leave', 'guard doctor --fix', 'guard uninstall'];
