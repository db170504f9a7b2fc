/** The texts for agents in a deadlock, shared by hooks, commands and tools. */
import type { Objection } from './denial.ts';
import type { Json } from './ledger.ts';
import type { ShownFile } from './shown.ts';
import { isShadow, nameInShadow } from './shadow.ts';
import { shellWord } from './shell-word.ts';
import type { AgentId, GraphEdge, LetGo, RepoPath } from './types.ts';
import type { Deadlock } from './rules/deadlock.ts';

/** `a waits for x (b); b waits for …`: the cycle as one sentence. */
export const cycleInWords = (cycle: readonly GraphEdge[]): string =>
  cycle
    .map(({ from, to, path }) => `${from} waits for ${path === '' ? whom(from, to) : `${path} (${to})`}`)
    .join('; ');

/** The agent whose end another agent waits for. */
export const whom = (from: AgentId, to: AgentId): string =>
  `${to.startsWith(`${from.split('/')[0]}/`) ? 'its subagent' : 'the agent'} ${to}`;

/** The absolute name of a path, in any checkout. */
export type Spell = (path: RepoPath) => string;

/**
 * The exact command or tool call for the release; empty if there is nothing to release. `as`: the caller's id, if
 * neither hooks nor its environment identify it and the command must name it.
 */
export function releaseLine(given: LetGo, guard: string, spell: Spell, as?: AgentId): string {
  const { release, reservations = [], leases = release, held_by } = given;
  const shadows = release.filter(isShadow);
  const files = leases.map((path) => shellWord(spell(path))).join(' ');
  const me = as === undefined ? '' : ` --agent ${shellWord(as)}`;
  const calls = [
    ...(files === '' ? [] : [`${guard} lock release ${files}${me}`]),
    ...(reservations.length > 0 ? [`${guard} unreserve ${reservations.join(' ')}${me}`] : []),
  ];
  // Even if the first command fails, nothing that it locked may stay locked.
  if (held_by !== undefined) return `${guard} lock try ${files}${me}; ${calls.join(' && ')}`;
  if (shadows.length === 0) return calls.join(' && ');
  const [server = ''] = (shadows[0] ?? '').split('//');
  return `mcp__${server}__lock_release ${JSON.stringify({ filepaths: shadows.map(nameInShadow) })}`;
}

export function deadlockDenial(at: ShownFile, dead: Deadlock, spell: Spell): Objection {
  const command = releaseLine(dead, at.guard, spell);
  const mine = `You are ${dead.is_repeated === true ? 'still ' : ''}in a deadlock and were chosen to give way`;
  return {
    error_type: 'DEADLOCK',
    path: at.abs,
    message: dead.is_repeated === true ? `${mine}.` : `${mine}: ${cycleInWords(dead.cycle)}.`,
    details: { cycle: dead.cycle as unknown as Json, victim: dead.victim, release: command },
    recovery_hint: `Run ${command}, and come back to these files later.`,
    next: [{ order: 'release', text: command }],
    lead: 'You are in a deadlock: release first, then come back to this file.',
  };
}

/** For the victim, at the end of its wait. */
export function toldToVictim(dead: Deadlock, command: string): string {
  const cycle = `Deadlock: ${cycleInWords(dead.cycle)}.`;
  if (dead.resolve === 'release') {
    const why =
      dead.is_repeated === true
        ? 'You waited again instead of giving way'
        : `${cycle} You were chosen to give way`;
    return `${why}: ${lost(dead)}.`;
  }
  if (command === '') return dead.is_repeated === true ? GO_ON : `${cycle} ${GO_ON}`;
  if (dead.is_repeated === true) return `You are still in the deadlock. Run: ${command}`;
  return dead.held_by === undefined
    ? `${cycle} You were chosen to give way. Run: ${command}`
    : `${cycle} You were chosen to give way, on behalf of ${dead.held_by}, which waits for you. Run: ${command}`;
}

const GO_ON =
  'No agent in it can release anything: continue without this file, or end your work and say what is missing.';

function lost({ release, reservations = [], held_by }: LetGo): string {
  const whose = held_by === undefined ? 'your lock' : `the lock of ${held_by}`;
  const wider = reservations.length === 0 ? '' : `, and so has your reservation ${reservations.join(', ')}`;
  const again = held_by === undefined ? '. Lock and read it again before you continue with it' : '';
  return `${whose} on ${release.join(', ')} has ended${wider}${again}`;
}

/** For the other agents in the cycle, which keep waiting. */
export const toldToWinner = ({ victim, cycle, release }: Deadlock, me: AgentId): string =>
  `There was a deadlock: ${cycleInWords(cycle)}. ${victim} was told to ${asked(release)}; you (${me}) need not do anything.`;

const asked = (release: LetGo['release']): string =>
  release.length === 0 ? 'continue without it' : `release ${release.join(', ')}`;
