/** A wait as cells of the table behind the graph. */
import type { ComponentChildren } from 'preact';
import { MomentLink } from './moment-link.tsx';
import { PathWords } from './path-words.tsx';
import type { People } from './people.ts';
import { waitMoment } from './wait-moment.ts';
import type { PresentStatus, Wait } from './wire.ts';
import { agoAt } from './words.ts';

const BECAUSE: Readonly<Record<string, string>> = { hold: 'holds it', ticket: 'is first in the queue' };

interface Around {
  readonly people: People;
  readonly denials: PresentStatus['denials'];
  readonly now_ms: number;
}

export const waitCells = (wait: Wait, { people, denials, now_ms }: Around): ComponentChildren[] => {
  const { from, to, path, kind, because, since } = wait;
  const lsn = waitMoment(wait, denials);
  const begun = since === null ? '' : agoAt(Date.parse(since), now_ms);
  return [
    people.nameOf(from),
    kind === 'wait' ? 'waits' : 'was refused',
    path === '' ? 'the end of the other' : <PathWords key="path" path={path} />,
    people.nameOf(to),
    BECAUSE[because] ?? 'it works for the other',
    lsn === null ? (
      begun
    ) : (
      <MomentLink key="since" lsn={lsn}>
        {begun}
      </MomentLink>
    ),
  ];
};
