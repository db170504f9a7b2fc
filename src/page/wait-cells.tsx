/** A wait as cells of the table behind the graph. */
import type { ComponentChildren } from 'preact';
import { PathWords } from './path-words.tsx';
import type { People } from './people.ts';
import type { Wait } from './wire.ts';
import { agoAt } from './words.ts';

const BECAUSE: Readonly<Record<string, string>> = { hold: 'holds it', ticket: 'is first in the queue' };

export const waitCells = (
  { from, to, path, kind, because, since }: Wait,
  people: People,
  now_ms: number,
): ComponentChildren[] => [
  people.nameOf(from),
  kind === 'wait' ? 'waits' : 'was refused',
  path === '' ? 'the end of the other' : <PathWords key="path" path={path} />,
  people.nameOf(to),
  BECAUSE[because] ?? 'it works for the other',
  since === null ? '' : agoAt(Date.parse(since), now_ms),
];
