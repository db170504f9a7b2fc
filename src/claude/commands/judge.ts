/** PreToolUse of Bash: checks what the line would write before it runs. */
import { unresolvedTarget } from '../../core/command-words.ts';
import type { Objection } from '../../core/denial.ts';
import { shownAt } from '../../core/shown.ts';
import type { CommandBeginEvent, CommandVerdict } from '../../core/rules/command-event.ts';
import type { Effects } from '../../shell/effects.ts';
import { HARMLESS } from '../../git/names.ts';
import { gitWords } from '../../git/words.ts';
import { deny, type HookOutput } from '../output.ts';
import { worktreeMadeFor } from '../made-for.ts';
import { filesRead } from '../read-files.ts';
import type { HookSpace, Hook } from '../context.ts';
import { unstable } from '../events/odd-writes.ts';
import { opOf } from '../events/op.ts';
import { bashTimeout_ms, MARGIN_MS } from '../events/bash-time.ts';
import { homeLife } from '../events/targets.ts';
import { isOff } from '../events/write-pre.ts';
import type { Command } from './command.ts';
import { besideOf, strangersNote } from './command-notes.ts';
import { type Forecast, forecastGit } from './git.ts';
import { lookAt } from './look-at.ts';
import { pastCalls } from './past-calls.ts';
import { lineOnlyLooks } from './quick.ts';
import { commandFacts } from './facts-of.ts';
import { type Asked, askedOf, NOTHING_ASKED } from './targets-of.ts';

export interface JudgedCommand {
  /** Null if there is no objection; what the command holds until it ends is then recorded. */
  readonly refused: HookOutput | null;
  readonly notes: readonly string[];
  /** Whether any ledger was asked. */
  readonly is_asked: boolean;
}

const PASSES: JudgedCommand = { refused: null, notes: [], is_asked: false };
const NO_FORECAST: Forecast = { touched: [], resources: [], objections: [], told: [], unresolved: [] };

export function judgeCommand(hook: Hook, command: Command): JudgedCommand {
  const effects = lineOnlyLooks(command.line) ? null : command.effects();
  if (effects === null || hasNone(effects)) return PASSES;
  const { asked, told } = askedBy(hook, command, effects);
  const judged = judgeIn(hook, asked);
  return { ...judged, notes: [...judged.notes, ...told] };
}

/** What each ledger is asked about this line, and the notes if it passes. */
export function askedBy(
  hook: Hook,
  command: Command,
  effects: Effects,
): { readonly asked: Map<HookSpace, Asked>; readonly told: readonly string[] } {
  const forecast = effects.git.every(isHarmless) ? NO_FORECAST : forecastGit(hook, effects.git);
  const asked = new Map([...askedOf(hook, effects, forecast)].filter(([space]) => !isOff(hook, space)));
  const unresolved = unresolvedIn(hook, [...effects.unresolved, ...forecast.unresolved], command);
  if (unresolved.length > 0) {
    const home = asked.get(hook.home) ?? NOTHING_ASKED;
    asked.set(hook.home, { ...home, objections: [...home.objections, ...unresolved] });
  }
  return { asked, told: forecast.told };
}

const hasNone = ({ targets, scopes, git, unresolved }: Effects): boolean =>
  targets.length + scopes.length + unresolved.length === 0 && git.every(isHarmless);

/** A command such as `git status` in a long line needs no question to git. */
const isHarmless = ({ args, cwd }: Effects['git'][number]): boolean =>
  HARMLESS.has(gitWords(args, cwd).command ?? '');

/** All or nothing across several ledgers: an approval elsewhere is withdrawn again. */
function judgeIn(hook: Hook, asked: ReadonlyMap<HookSpace, Asked>): JudgedCommand {
  const begun: HookSpace[] = [];
  const strangers: string[] = [];
  const others = [...asked.keys()].filter((space) => space !== hook.home);
  const elsewhere = others.map(({ repo }) => repo.root);
  // The session's own ledger records where else the command is open, so it comes last.
  for (const space of [...others, ...(asked.size > 0 ? [hook.home] : [])]) {
    const is_home = space === hook.home;
    const verdict = begin(hook, space, asked.get(space) ?? NOTHING_ASKED, is_home ? elsewhere : []);
    if (verdict.verdict === 'approved') {
      begun.push(space);
      strangers.push(...verdict.strangers);
    }
    if (verdict.verdict !== 'denied') continue;
    for (const other of begun)
      other.run({ type: 'command.end', who: hook.who, op: opOf(hook), tool: hook.input.tool, left: [] });
    return { refused: deny(verdict.denial), notes: [], is_asked: true };
  }
  return {
    refused: null,
    notes: [strangersNote(strangers), ...besideOf(hook, asked)],
    is_asked: asked.size > 0,
  };
}

/** A digest becomes stale only if another guarded write begins or ends in the meantime. */
const TRIES = 5;

function begin(hook: Hook, space: HookSpace, asked: Asked, elsewhere: readonly string[]): CommandVerdict {
  const { files, areas, git, resources, objections } = asked;
  const isEmpty = [files, areas, git, resources, objections, elsewhere].every(({ length }) => length === 0);
  if (isEmpty) return { verdict: 'approved', strangers: [] };
  let looked = git;
  for (let tries = 0; tries <= TRIES; tries++) {
    const verdict = space.run(eventOf(hook, space, { ...asked, git: looked }, elsewhere));
    if (verdict.verdict === 'look') {
      looked = lookAt(hook, looked, new Set(verdict.paths));
    } else if (verdict.verdict !== 'retry') return verdict;
    hook.deadline();
  }
  const denied = unstable(
    space,
    files.map(({ file }) => file),
  );
  if (denied.verdict !== 'denied') throw new Error('unstable files are denied');
  return denied;
}

/** The history is read once, and only on demand. */
function remembered(hook: Hook): (op: string) => boolean {
  let calls: ReadonlySet<string> | undefined;
  return (op) => (calls ??= pastCalls(hook)).has(op);
}

export function eventOf(
  hook: Hook,
  space: HookSpace,
  { files, areas, git, resources, objections }: Asked,
  elsewhere: readonly string[],
): CommandBeginEvent {
  return {
    type: 'command.begin',
    who: hook.who,
    op: opOf(hook),
    tool: hook.input.tool,
    targets: files.map((found) => commandFacts(hook, space, found)),
    areas,
    git,
    resources,
    objections,
    home: homeLife(hook, space),
    worktree: space.repo.worktree ? worktreeMadeFor(hook, space) : undefined,
    reads: (turn) => filesRead(hook, space, turn),
    remembers: remembered(hook),
    until_mono_ms: hook.now.mono_ms + bashTimeout_ms(hook) + MARGIN_MS,
    elsewhere,
  };
}

/** `strict` denies only a part that names a file which cannot be determined. A program whose code is not in the line does not. */
function unresolvedIn(
  { home, input }: Hook,
  unresolved: Effects['unresolved'],
  command: Command,
): readonly Objection[] {
  if (home.facts().policy.unresolved !== 'deny' || !home.repo.initialised) return [];
  const at = shownAt(input.cwd, command.cwd, home.facts());
  return (
    unresolved
      // Files beyond the limit are known: the `guard` scope covers them.
      .filter(({ reason, by }) => DENIED.includes(reason) && by !== 'guard')
      .slice(0, 1)
      .map((part) => unresolvedTarget(at, part))
  );
}

const DENIED: readonly Effects['unresolved'][number]['reason'][] = [
  'variable',
  'substitution',
  'directory',
  'limit',
];
