/** What those in a deadlock are told, in one place for hooks, commands and tools. */
import type { Objection } from './denial.ts';
import type { Json } from './ledger.ts';
import type { Shown } from './shown.ts';
import { isShadow, nameInShadow } from './shadow.ts';
import { shellWord } from './shell-word.ts';
import type { AgentId, GraphEdge, LetGo, RepoPath } from './types.ts';
import type { Deadlock } from './rules/deadlock.ts';

/** `a waits for x, held by b, …`: the cycle as one sentence. */
export const cycleInWords = (cycle: readonly GraphEdge[]): string =>
  cycle.map(({ from, to, path }) => `${from} waits for ${path} (${to})`).join('; ');

/** The exact command or tool call that lets go; `root` ends in `/`, or is empty where it is not known. */
export function releaseCommand(given: LetGo, guard: string, root: string): string {
  const { release, reservations = [], leases = release } = given;
  const shadows = release.filter(isShadow);
  const files = leases.map((path) => shellWord(spelled(path, root)));
  const calls = [
    ...(files.length > 0 ? [`${guard} lock release ${files.join(' ')}`] : []),
    ...(reservations.length > 0 ? [`${guard} unreserve ${reservations.join(' ')}`] : []),
  ];
  if (shadows.length === 0) return calls.join(' && ');
  const [server = ''] = (shadows[0] ?? '').split('//');
  return `mcp__${server}__lock_release ${JSON.stringify({ filepaths: shadows.map(nameInShadow) })}`;
}

/** Files of linked worktrees and of no repository have names that no shell knows from the root alone. */
const spelled = (path: RepoPath, root: string): string => (path.startsWith('/') ? path : `${root}${path}`);

export function deadlockDenial(at: Shown, dead: Deadlock, root: string): Objection {
  const command = releaseCommand(dead, at.guard, root);
  return {
    error_type: 'DEADLOCK',
    path: at.abs,
    message: `You are in a deadlock and were chosen to let go: ${cycleInWords(dead.cycle)}.`,
    details: { cycle: dead.cycle as unknown as Json, victim: dead.victim, release: command },
    recovery_hint: `Run ${command}, and come back to these files later.`,
    next: [{ order: 'release', text: command }],
    lead: 'You are in a deadlock: let go first, then come back to this file.',
  };
}

/** To the one that must let go, at the end of its wait. */
export const toldToVictim = (dead: Deadlock, command: string): string =>
  dead.resolve === 'release'
    ? `Deadlock: ${cycleInWords(dead.cycle)}. You were chosen to let go: your lock on ${dead.release.join(', ')} is gone${alsoGone(dead)}. Lock and read it again before you go on with it.`
    : `Deadlock: ${cycleInWords(dead.cycle)}. You were chosen to let go. Run: ${command}`;

const alsoGone = ({ reservations = [] }: LetGo): string =>
  reservations.length === 0 ? '' : `, and so is your reservation ${reservations.join(', ')}`;

/** To the others, who go on waiting. */
export const toldToWinner = ({ victim, cycle, release }: Deadlock, me: AgentId): string =>
  `There was a deadlock: ${cycleInWords(cycle)}. ${victim} was told to let go of ${release.join(', ')}; you (${me}) need not do anything.`;
