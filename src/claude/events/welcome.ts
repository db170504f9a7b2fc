/** What agents are told before their first write: a few lines each, because every agent pays for them. */
import { sibling } from '../../core/lock-tools.ts';
import { quoted } from '../../core/mail-words.ts';
import { someLeases } from '../../core/leases.ts';
import { otherHosts } from '../../install/other-hosts.ts';
import { unjoined } from '../../repo/require-joined.ts';
import type { HookSpace } from '../context.ts';
import { consult } from '../../store/transact.ts';

/** For a session: the workflow, and who holds what. @param is_alone in its own worktree */
export function welcome(home: HookSpace, is_alone: boolean): string {
  if (!takesLocks(home)) return '';
  const facts = home.facts();
  const steps = facts.lock_tool ? toolWorkflow(facts.lock_tool) : workflow(facts.guard_command);
  return [...(isAutomatic(home, is_alone) ? AUTOMATIC : steps), ...heldNow(home)].join('\n');
}

/** For a subagent, which sees nothing of what its session was told: two lines. */
export function briefing(home: HookSpace, is_alone: boolean): string {
  if (!takesLocks(home)) return '';
  const facts = home.facts();
  if (isAutomatic(home, is_alone)) return AUTOMATIC.join('\n');
  const call = facts.lock_tool ? toolCalls(facts.lock_tool) : bashCalls(facts.guard_command);
  return [`guard keeps the edits of several agents apart. ${call} Then read them, then edit.`, REFUSED].join(
    '\n',
  );
}

/** Agents here should know that some writes take no locks. */
export function neighbours(home: HookSpace): string {
  const hosts = takesLocks(home) ? otherHosts(home.repo.root) : [];
  return hosts.length === 0
    ? ''
    : `Configured here without guard, so their writes take no locks: ${hosts.join(', ')}`;
}

/** Nothing is locked here until a person has decided. */
export function unjoinedNote(home: HookSpace): string {
  const error = takesLocks(home) ? unjoined(home.repo) : null;
  return error === null ? '' : `No locks are granted here. ${error.message} ${error.hint}`;
}

const takesLocks = ({ repo, facts }: HookSpace): boolean =>
  repo.initialised && facts().policy.enforcement !== 'off';

const isAutomatic = ({ facts }: HookSpace, is_alone: boolean): boolean =>
  is_alone || facts().policy.enforcement === 'auto';

const WHY =
  'Several agents may work in this repository; guard keeps their edits apart. A file must be locked before you write it:';
const REFUSED = 'A refused write says in details.next what to do, in order.';

const workflow = (guard: string): string[] => [
  WHY,
  `1. Lock first, then read. Lock ALL files you plan to change with one Bash call: ${guard} lock try FILE...`,
  '2. Look at the result: work on the files you got; note who holds the others.',
  `3. For those, wait: ${guard} lock wait FILE... --timeout 60s`,
  '4. Read the files you have locked, then edit them.',
  `5. When done, give them back: ${guard} lock release FILE... (the end of your turn does it too)`,
  REFUSED,
];

/** If the lock tools are registered. `tool` is the full name of lock_try. */
const toolWorkflow = (tool: string): string[] => [
  WHY,
  `1. Call ${tool} with ALL files you plan to change. Lock first, then read.`,
  '2. Look at the results: work on the files you got; note who holds the others.',
  `3. For those, call ${sibling(tool, 'lock_wait')} with a reasonable timeout.`,
  '4. Read the files you have locked, then edit them.',
  `5. When done, call ${sibling(tool, 'lock_release')} (the end of your turn does it too).`,
  REFUSED,
];

const bashCalls = (guard: string): string =>
  `Lock ALL files you plan to change in one Bash call, before you read them: ${guard} lock try FILE... (for those that others hold: ${guard} lock wait FILE...).`;

const toolCalls = (tool: string): string =>
  `Call ${tool} once with ALL files you plan to change, before you read them (for those that others hold: ${sibling(tool, 'lock_wait')}).`;

const AUTOMATIC = [
  'Several agents may work in this repository; guard keeps their edits apart. Your first write of a file locks it for you until your turn ends.',
  REFUSED,
];

/** With the workflow at most 800 characters, if guard's command is one word. */
const HELD_CHARS = 200;
/** No more fit into that. */
const HELD_MOST = 24;

function heldNow(home: HookSpace): string[] {
  const facts = home.facts();
  const { leases, isAll } = consult(home.store, (view) => someLeases(view, facts, HELD_MOST));
  if (leases.length === 0) return [];
  const shown = thatFit(leases.map(({ path, holder }) => `${quoted(path)} by ${holder}`));
  const left = leases.length - shown.length;
  const count = isAll ? `${left}${shown.length > 0 ? ' more' : ''}` : 'more';
  const more = isAll && left === 0 ? [] : [`${count} (${facts.guard_command} lock status)`];
  return [`Locked now: ${[...shown, ...more].join(', ')}`];
}

/** The first of them that fit. There may be ten thousand. */
export function thatFit(each: readonly string[]): readonly string[] {
  let room = HELD_CHARS + SEPARATOR.length;
  const end = each.findIndex((one) => (room -= one.length + SEPARATOR.length) < 0);
  return end === -1 ? each : each.slice(0, end);
}

const SEPARATOR = ', ';
