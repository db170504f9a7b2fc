/** Every claim of docs/threat-model.md by the name of its tests: a top-level group in a test file here. */
import type { Claim } from './claim.ts';
import { GIT_CLAIMS } from './git-claims.ts';
import { HTTP_CLAIMS } from './http-claims.ts';
import { NOTICING_CLAIMS } from './noticing-claims.ts';
import { CONTENT_CLAIMS } from './content-claims.ts';
import { FENCE_CLAIMS } from './fence-claims.ts';
import { SHELL_CLAIMS } from './shell-claims.ts';

/** Sections that say what is trusted and why, and promise nothing. */
export const NO_CLAIMS: readonly string[] = ['', 'What it trusts'];

export const CLAIMS: Readonly<Record<string, Claim>> = {
  'it names the file through a process': {
    attempt:
      'it names the file through a process: `/proc/self/cwd/a.txt`, `/dev/fd/3`, or a link to such a name, which guard and the client resolve differently',
    says: ['denied (`GUARD_ERR_PATH`)'],
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
  'it edits files of the client or of git': {
    attempt:
      "it edits managed settings, the client's plugin registry, `~/.claude.json`, a `.guard-backup`, or git's own files (`.git/config`, `.git/hooks/…`, `HEAD`, `index`, refs, objects), with those tools or with a command line that shows which file it writes, removes or moves",
    says: ['denied (`PROTECTED_PATH`)'],
  },
  "it takes guard's entry out of a shared file": {
    attempt:
      "it removes or changes guard's entry in `.mcp.json` or another host's hook file, in the same ways",
    says: ['denied (`PROTECTED_PATH`). The rest of such a file belongs to the project'],
  },
  'it changes protected files by another command': {
    attempt:
      "it changes any of these with a command line that does not name them (`git config`, a package's install script, code that another program generates and runs)",
    says: [
      'not prevented',
      'After the next command its agent is told, the ledger gets a `bypass` record, and people are told by `guard status` and at the start of the next session',
    ],
  },
  'it adds a hook command': {
    attempt: 'it adds a hook command to a settings file',
    says: [
      'allowed, because projects need that',
      'The ledger gets a `hook.added` record, and people are told in the same way',
      'The hook runs as this user from then on',
    ],
  },
  'a hook of somebody else moves a write': {
    attempt: "a hook that is not guard's redirects an approved write to another file (`updatedInput`)",
    says: [
      "**not prevented**: guard's hook saw the original call",
      "The file that was written has no approval: the ledger gets a `bypass` record, the agent and the file's holder are told, and the content counts as unseen",
    ],
  },
  "a hook that looks like guard's is there for doctor to run": {
    attempt: "it puts its own command into a hook entry that looks like guard's, and calls `guard doctor`",
    says: [
      'doctor runs only command lines that are byte for byte what guard itself would write, and none inside a session',
    ],
  },
  'it edits a role file': {
    attempt: 'it edits a role file so that agents it drafts may do more',
    says: [
      'denied with those tools (`PROTECTED_PATH`)',
      'Through Bash it is not prevented, but no agent in a tree can draft with a role that was changed after the tree began',
      'Later drafts use the changed role',
    ],
  },
  'a drafted agent pretends to be somebody else': {
    attempt:
      'a drafted agent clears or changes its environment, names another agent, or starts an MCP server or a client of its own, to draft, await or kill beyond its role, depth or budget',
    says: [
      'counts as the agent (`GUARD_ERR_AGENT`), and its own configuration cannot raise the limits it was drafted with',
      'Elsewhere, a process that leaves the process tree and clears its environment counts as a person',
      'On Linux this includes detached processes, which its supervisor adopts',
    ],
  },
  'it starts claude itself': {
    attempt: 'it starts `claude` itself',
    says: [
      'not prevented',
      "That client's turns and cost are not counted, its drafts are attributed to the agent, and it is ended with the agent",
    ],
  },
  'it unhooks guard with file tools': {
    attempt:
      "it removes guard's hooks from a settings file, adds `disableAllHooks`, a value that makes the client drop the file, or variables that reach guard's processes (`PATH`, `NODE_OPTIONS`, `CLAUDE_CODE_SHELL_PREFIX`, `GUARD_…`, `LD_…`, `HOME`, …) with those tools",
    says: ['denied (`PROTECTED_PATH`)'],
  },
  'it unhooks guard through Bash': {
    attempt: 'the same through Bash, mid-session',
    says: [
      'the change is vetoed (`ConfigChange`, client 2.1.200 and newer), so the running session stays guarded',
      'The file stays changed, and a session that starts later has no hooks',
      '`guard doctor` reports the file, and the sessions that ran without hooks',
    ],
  },
  'it switches guard off': {
    attempt:
      'it runs `guard off`, `guard uninstall`, `guard doctor --fix`, or weakens the preset with `guard init`',
    says: [
      'refused inside a Claude session; `off` also if there is no terminal',
      'An agent that clears its environment gets past the first check; the ledger then has a `bypass` record (except for `doctor --fix`, which only repairs)',
    ],
  },
  'it speaks as another agent': {
    attempt:
      'it names another agent with `--agent` or a variable, or hides how it calls guard (`g=guard; $g …`, a script, another shell)',
    says: [
      'refused inside a session: a subagent is identified by a sealed mark in its command line, and speaks only for itself',
    ],
  },
  'it sends events to the hook': {
    attempt: 'it sends `guard hook` events of another session, or a Read that never happened',
    says: [
      "they change nothing and are recorded (`event.forged`); a write in one is checked as a stranger's",
      'A command that clears or completes its environment gets past this',
    ],
  },
  'it names another agent to guard mcp': {
    attempt:
      'it names another agent in a call to `guard mcp`, from its own server, or after it changed `.mcp.json`',
    says: [
      "refused: a name counts only with the hook's seal, and only once",
      "Code that reads guard's key (`~/.local/state/guard/key`) can make a seal; such code could also write the ledger itself",
    ],
  },
  'it reads messages between others': {
    attempt: 'it reads messages between others, with `guard message thread` or `guard log`',
    says: ['not shown', 'They are readable in the ledger file, like everything in it'],
  },
  'it releases the lease of another agent': {
    attempt: "it releases another agent's lease",
    says: [
      "no command takes another agent's lease. A process outside a session may name an agent (`--agent`), so an agent that clears its environment can speak for another one",
      'The ledger records it',
    ],
  },
  ...SHELL_CLAIMS,
  'it damages or deletes the state directory through Bash': {
    attempt: 'it deletes or edits the state directory through Bash',
    says: [
      'denied if the line names it (`PROTECTED_PATH`), otherwise not prevented',
      "With a damaged ledger, writes are denied (`GUARD_ERR_CORRUPT`). Without the directory, they are denied (`GUARD_ERR_NOT_INITIALISED`) until a person runs `guard init`, because a mark in the user's own directory remembers the repository",
      'Deleting that mark too leaves the repository unguarded',
    ],
  },
  'a repository weakens guard': {
    attempt: "a repository's `guard.config.json`, or variables in its settings, weaken guard",
    says: ['ignored and reported'],
  },
  'a repository names a program or a place': {
    attempt: 'a repository names a program, an engine or a place for guard to use',
    says: ['no configuration key allows that'],
  },
  ...NOTICING_CLAIMS,
  ...GIT_CLAIMS,
  ...CONTENT_CLAIMS,
  ...FENCE_CLAIMS,
  "settings point guard's own places into a checkout": {
    attempt:
      "a repository's settings point `HOME`, `XDG_STATE_HOME` or `XDG_CONFIG_HOME` into a checkout or below `/proc`",
    says: ["ignored in favour of the account's home directory, and named by `guard doctor`"],
  },
  'a repository carries a committed .guard': {
    attempt: 'a repository carries a committed `.guard/`',
    says: ['ignored'],
  },
  'an archive brings a state directory': {
    attempt:
      'an archive or a copy contains a state directory, with a pause, floors, a program or a command in it',
    says: [
      'nothing in it is trusted or run; writes are denied until a person runs `guard init`, which starts afresh',
    ],
  },
  'a settings file is no regular file': {
    attempt: 'a settings file is a pipe, a device or endless',
    says: [
      "it is read in bounded time, an agent's write to it is denied, and it counts as a file without hooks",
    ],
  },
  'a command line is long, or slow to parse': {
    attempt: 'a command line of 340 KB, of a megabyte, or of 64 KB that is slow to parse',
    says: ['not parsed above 64 KiB, or if that would take too long; its redirections are not checked'],
  },
  'guard deadlock --log is given no file of records': {
    attempt: '`guard deadlock --log` is given a device, an endless line, or a pipe',
    says: ['refused, or the line is skipped; only people may use pipes'],
  },
  'another user prepares a state directory': {
    attempt: 'another user prepares a state directory, or a link to one',
    says: [
      'refused (`GUARD_ERR_STATE_DIR`; `guard init` replaces a link with our own directory). It does not take over one of our repositories, and is ignored in a directory where anyone can create one (`/tmp`)',
    ],
  },
  'a file name is hostile': {
    attempt: 'a file name with newlines or terminal escapes',
    says: ['one record in the ledger; escaped where it is printed for people'],
  },
  'the target is no regular file': {
    attempt: 'a FIFO, a device, or a file that never ends as target',
    says: ['never opened; the write is denied (`GUARD_ERR_UNREADABLE`)'],
  },
  'an event is malformed': {
    attempt: 'events that are malformed, truncated, huge, or deeply nested',
    says: ['writes are denied; everything else passes with a line on standard error'],
  },
  'a process stops while it holds the lock of the ledger': {
    attempt: "a process is stopped while it holds the ledger's lock",
    says: ['others give up after 4 s and deny'],
  },

  ...HTTP_CLAIMS,

  'a file changes between the check and the write': {
    under: 'Between the check and the write',
    says: [
      'guard checks before the tool runs; the client writes a few milliseconds later',
      'a program that does not ask guard can still change the file',
      'guard compares that with what was approved and, if they differ, tells the agent and writes a `write.raced` record',
      'It cannot undo the write',
    ],
  },
  'two guarded writers meet between the check and the write': {
    under: 'Between the check and the write',
    says: ["Guarded writers cannot, because the first one's intent denies the second"],
  },
  'what the ledger has': {
    under: 'What is in the ledger',
    says: [
      'The ledger contains paths, agent ids, digests, tool names, times, and denials; what agents write to each other (messages, reasons, and what they say about themselves); and, for a drafted agent, the name of its task (the first words of its prompt if none was given) and its last output',
    ],
  },
  'no content, no prompts, no environment, no key': {
    under: 'What is in the ledger',
    says: ['Apart from these there is no file content, no prompt, no environment and no key'],
  },
  'the text of the last write is kept for its formatter': {
    under: 'What is in the ledger',
    says: [
      "The text of an agent's last write is kept next to its baseline as long as a formatter may still change the file (at most 256 Ki characters, removed at the end of the batch), in the state directory, mode 0600",
    ],
  },
  'the state directory is not committed': {
    under: 'What is in the ledger',
    says: [
      'The state directory is inside the git directory, or in `.guard/`, which ignores itself; nothing in it is committed',
    ],
  },
};
