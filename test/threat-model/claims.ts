/**
 * Every claim of docs/threat-model.md, by the name of its tests: a group of that name at the top of a test file here.
 * `attempt` is the first cell of a row, letter by letter; `under` the heading of a section for its running text. `says`
 * has a phrase of each sentence of the answer: where the document says something else, somebody has to look at the tests.
 */
export type Claim =
  | { readonly attempt: string; readonly says: readonly string[] }
  | { readonly under: string; readonly says: readonly string[] };

/** Sections that say what is trusted and why, and promise nothing. */
export const NO_CLAIMS: readonly string[] = ['', 'What it trusts'];

export const CLAIMS: Readonly<Record<string, Claim>> = {
  'an agent writes over content it has not seen': {
    attempt:
      'an agent writes over content it has not seen, by Edit, Write, NotebookEdit or a configured MCP tool',
    says: ['denied (`STALE_FILE`, `UNREAD_FILE`)'],
  },
  'it spells the path differently': {
    attempt:
      'it spells the path differently: `..`, links, case, Unicode forms, another working directory, a nested `git init`, a worktree',
    says: ['the same path, the same answer'],
  },
  'it edits guard with file tools': {
    attempt: "it edits guard's state, configuration, launcher or program with those tools",
    says: ['denied (`PROTECTED_PATH`)'],
  },
  'it edits a role file': {
    attempt: 'it edits a role file, so that agents it drafts may do more',
    says: [
      'denied with those tools (`PROTECTED_PATH`)',
      'Through Bash not prevented; but no agent of a tree drafts with a role that was changed after the tree began',
      'Who drafts later drafts with what is there',
    ],
  },
  'a drafted agent pretends to be somebody else': {
    attempt:
      'a drafted agent clears or changes its environment, names another agent, or starts an MCP server or a client of its own, to draft, await or kill beyond its role, depth or budget',
    says: [
      'counts as the agent (`GUARD_ERR_AGENT`); a configuration of its own cannot raise the bounds it was drafted with',
      'A process that leaves the tree of processes and clears its environment counts as a person',
    ],
  },
  'it starts claude itself': {
    attempt: 'it starts `claude` itself',
    says: [
      'not prevented',
      "That client's turns and cost are not counted; its drafts are the agent's, and it is ended with the agent",
    ],
  },
  'it unhooks guard with file tools': {
    attempt:
      "it removes guard's hooks from a settings file, adds `disableAllHooks`, or variables that reach guard's processes (`PATH`, `NODE_OPTIONS`, `GUARD_…`, `LD_…`, `HOME`, …) with those tools",
    says: ['denied (`PROTECTED_PATH`)'],
  },
  'it unhooks guard through Bash': {
    attempt: 'the same through Bash, in mid-session',
    says: [
      'the change is vetoed (`ConfigChange`, client 2.1.200 and newer): the running session stays guarded',
      'The file stays changed, and a session that starts later has no hooks',
      '`guard doctor` names it',
    ],
  },
  'it switches guard off': {
    attempt:
      'it runs `guard off`, `guard uninstall`, `guard doctor --fix`, or weakens the preset with `guard init`',
    says: [
      'refused inside a Claude session; `off` also wherever there is no terminal',
      'An agent that clears its environment gets past the former; the ledger then has a `bypass` record (`doctor --fix` only repairs, and leaves none)',
    ],
  },
  'it locks in the name of another agent': {
    attempt: 'it names another agent in `guard lock --agent`',
    says: ["refused inside a session; a subagent's name is put in by the hook"],
  },
  'it releases the lease of another agent': {
    attempt: "it releases another agent's lease",
    says: [
      "no command takes another's lease; a process outside a session may name an agent (`--agent`), so an agent that clears its environment can speak for another one",
      'The ledger records it',
    ],
  },
  'it writes through Bash': {
    attempt: 'it writes files through Bash, `sed -i`, `git checkout`, a script',
    says: ['not judged today', 'Whoever read the file before is denied as stale at the next guarded write'],
  },
  'it damages or deletes the state directory through Bash': {
    attempt: 'it deletes or edits the state directory through Bash',
    says: [
      'not prevented',
      'A damaged ledger refuses writes (`GUARD_ERR_CORRUPT`); without the directory the repository counts as not set up: no locks there until the next `guard init`',
    ],
  },
  'a repository weakens guard': {
    attempt: "a repository's `guard.config.json`, or variables in its settings, weaken guard",
    says: ['ignored and reported'],
  },
  'a repository names a program or a place': {
    attempt: 'a repository names a program, an engine or a place for guard to use',
    says: ['there is no key for that'],
  },
  'a repository carries a user configuration': {
    attempt: 'a repository carries a "user" configuration and points `XDG_CONFIG_HOME` at it',
    says: ['it only strengthens, because it lies inside a checkout'],
  },
  'another user prepares a state directory': {
    attempt: 'another user prepares a state directory, or a link to one',
    says: ['refused (`GUARD_ERR_STATE_DIR`), and it does not take over a repository of ours'],
  },
  'a file name is hostile': {
    attempt: 'a file name with newlines or terminal escapes',
    says: ['one record in the ledger; escaped where it is printed for people'],
  },
  'the target is no regular file': {
    attempt: 'a FIFO, a device, a file that never ends, as target',
    says: ['never opened; the write is denied (`GUARD_ERR_UNREADABLE`)'],
  },
  'an event is malformed': {
    attempt: 'events that are malformed, cut off, huge, deeply nested',
    says: ['a write is denied, everything else passes with a line on standard error'],
  },
  'a process stops while it holds the lock of the ledger': {
    attempt: "a process is stopped while it holds the ledger's lock",
    says: ['others give up after 4 s and deny'],
  },

  'HTTP is as strong as the files': {
    under: 'The HTTP interface',
    says: [
      'does what its clients ask, by the rules of the ledger',
      'Every program of this user can open its socket and read its token',
    ],
  },
  'another user connects': {
    attempt: 'another user connects',
    says: [
      'the socket is mode 0600 in a directory that others cannot change; TCP asks for a token of 256 random bits that only the user can read (with `--no-token` every user of the machine may call)',
    ],
  },
  'a web page sends requests': {
    attempt:
      'a web page sends requests, with forms, with `fetch`, or under a name that now points at 127.0.0.1',
    says: [
      'anything with `Origin`, or with a `Sec-Fetch-Site` other than `none`; a `Host` that is not ours; a body that is not `application/json`',
      'No answer has a CORS header',
    ],
  },
  'an agent calls the server in the name of another': {
    attempt: 'an agent in a session calls it from Bash and names another session, a subagent, or a person',
    says: [
      'refused (`SPEAKS_FOR_ITSELF`), unless a person started the server with `--sessions`',
      'Starting a second server with that option is as hard for it as clearing its environment, and as visible',
    ],
  },
  'a client of the server takes any name': {
    attempt: 'it takes a name of its own, or that of another HTTP client',
    says: ['**not prevented**', 'HTTP clients trust each other; the ledger records each name'],
  },
  'another machine connects': {
    attempt: 'another machine connects',
    says: ['there is no way to listen on anything but loopback'],
  },
  'requests are huge, malformed, slow, or too many': {
    attempt: 'requests that are huge, malformed, slow, or thousands at once',
    says: [
      '128 KiB of body, 8 KiB of headers, 10 s for headers, 15 s for a request, 256 connections for each way in; refused or cut off, and the others go on',
    ],
  },
  'a socket or token file is there before guard': {
    attempt: 'somebody puts a socket or a token file in place before guard does',
    says: ["refused where it is not this user's, or can be read by others"],
  },
  'two servers meet': {
    attempt: 'two servers start at once, or one finds the socket of another',
    says: ['flock(2) on `<socket>.lock` decides; what a dead server left is replaced'],
  },

  'a file changes between the check and the write': {
    under: 'Between the check and the write',
    says: [
      'guard judges before the tool runs; the client writes a few milliseconds later',
      'a program that does not ask guard can still change the file',
      'guard compares it with what was approved and, where it was something else, tells the agent and writes a `write.raced` record',
      'It cannot undo the write',
    ],
  },
  'two guarded writers meet between the check and the write': {
    under: 'Between the check and the write',
    says: ["Guarded writers cannot: the first one's intent denies the second"],
  },
  'what the ledger has': {
    under: 'What is in the ledger',
    says: [
      'Paths, agent ids, digests, tool names, times, and denials; what agents write to each other (messages, reasons, and what they say of themselves); of a drafted agent the name of its task (the first words of its prompt, where nobody gave one) and what it said last',
    ],
  },
  'no content, no prompts, no environment': {
    under: 'What is in the ledger',
    says: ['Apart from these no content of files, no prompts, no environment'],
  },
  'the text of the last write is kept for its formatter': {
    under: 'What is in the ledger',
    says: [
      "The text of an agent's last write is kept beside its baseline for as long as a formatter may still change the file (at most 256 Ki characters, removed at the end of the batch), in the state directory, mode 0600",
    ],
  },
  'the state directory is not committed': {
    under: 'What is in the ledger',
    says: [
      'The state directory is inside the git directory, or in `.guard/`, which ignores itself; nothing in it is committed',
    ],
  },
};
