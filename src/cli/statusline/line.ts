/** A session's status line as text. Pure. */
import type { SessionGlance } from '../../core/glance.ts';
import { age } from '../../core/time.ts';
import { counted } from '../view/counted.ts';

/** Why there is nothing to count. */
type Unguarded = 'not_set_up' | 'never_joined' | 'no_session';

export interface SessionSeen {
  /** The session's glance, the reason why there is none, or the code of guard's own failure. */
  readonly state: SessionGlance | Unguarded | { readonly code: string };
  /** How long guard will stay off; `null` if it is on. */
  readonly off_ms: number | null;
}

export interface StatusText {
  readonly text: string;
  /** Whether a person should do something about it. */
  readonly is_alarm: boolean;
}

const WHY: Readonly<Record<Unguarded, string>> = {
  not_set_up: 'guard: not set up here',
  never_joined: 'guard: this session is unguarded',
  no_session: 'guard: no session on standard input',
};

export function sessionLine({ state, off_ms }: SessionSeen): StatusText {
  const off = off_ms === null ? [] : [`guard off ${age(off_ms)}`];
  if (typeof state === 'string')
    return { text: [WHY[state], ...off].join(', '), is_alarm: state === 'never_joined' };
  if ('code' in state) return { text: `guard: ${state.code} (guard doctor)`, is_alarm: true };
  return {
    text: [...wordsOf(state), ...off].join(', '),
    is_alarm: state.is_victim || off_ms !== null,
  };
}

function wordsOf({ locks, waiters, waits_ms, is_victim }: SessionGlance): string[] {
  return [
    locks === 0 ? 'no locks' : counted(locks, 'lock'),
    ...(waiters === 0 ? [] : [counted(waiters, 'waits on you', 'wait on you')]),
    ...(waits_ms === null ? [] : [`waiting ${age(waits_ms)}`]),
    ...(is_victim ? ['deadlock: give way'] : []),
  ];
}

/** Appended to the first line of another status line, which may have left colours switched on. */
export function joinLines(other: string, own: string): string {
  const [first = '', ...rest] = other.replace(/\n+$/, '').split('\n');
  const end = first.includes('\u001b') ? '\u001b[0m' : '';
  return [first === '' ? own : `${first}${end} | ${own}`, ...rest].join('\n');
}
