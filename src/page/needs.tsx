/** What needs attention, most urgent first: the rows of the terminal's screen, by the same rule. */
import { useRef, useState } from 'preact/hooks';
import type { Need } from '../core/needs/need.ts';
import { needsIn } from '../core/needs/needs.ts';
import { type RepositoryWarning, warningsOf } from '../core/needs/warnings.ts';
import { age } from '../core/time.ts';
import { type Heard, heardNext, NOTHING_HEARD } from './heard.ts';
import { MomentLink } from './moment-link.tsx';
import { PathWords } from './path-words.tsx';
import type { People } from './people.ts';
import type { PresentStatus, SceneThen } from './wire.ts';

interface Needing {
  readonly status: PresentStatus;
  readonly then: SceneThen | null;
  readonly people: People;
  readonly now_ms: number;
}

/** In a busy hour there are fifty denials, which would push everything else off the screen. */
const FIRST = 12;

export function NeedsSection({ status, then, people, now_ms }: Needing) {
  const heard = useRef<Heard>(NOTHING_HEARD);
  const [isAll, setAll] = useState(false);
  // Of an earlier moment, neither the processes nor the files that were noticed are known.
  const { repository } = status;
  const told =
    then === null
      ? status
      : {
          ...then.scene,
          denials: then.denials,
          repository,
          unjoined: null,
          other_clients: null,
          noticed: [],
        };
  const { nameOf, fullNameOf } = people;
  const needs = needsIn({ told, now_ms, nameOf, fullNameOf });
  const warnings = then === null ? warningsOf(status, now_ms) : [];
  if (then === null) heard.current = heardNext(heard.current, spoken(warnings, needs));
  return (
    <>
      <p class="unseen" role="status" id="news">
        {then === null ? heard.current.words : ''}
      </p>
      {needs.length + warnings.length > 0 && (
        <section
          class={`needs ${[...warnings, ...needs].some(isRed) ? 'red' : 'yellow'}`}
          aria-labelledby="needs"
        >
          <h2 id="needs">Needs attention</h2>
          <ul>
            {warnings.map(({ text }) => (
              <li key={text} class="warning">
                {text}
              </li>
            ))}
            {needs.slice(0, isAll ? needs.length : FIRST).map((need) => (
              <NeedRow key={need.id} need={need} />
            ))}
          </ul>
          {needs.length > FIRST && (
            <button type="button" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
              {isAll ? 'Show fewer' : `Show ${needs.length - FIRST} more`}
            </button>
          )}
        </section>
      )}
    </>
  );
}

const isRed = ({ tone }: Need | RepositoryWarning): boolean => tone === 'red';

const spoken = (
  warnings: readonly RepositoryWarning[],
  needs: readonly Need[],
): ReadonlyMap<string, string> =>
  new Map([
    // The time left is part of the text, and no news.
    ...warnings.map(({ text }) => [text.replace(/\d+[smhd]\b/g, ''), text] as const),
    ...needs.map(({ id, label, who, what }) => [id, `${label}: ${who}, ${what}`] as const),
  ]);

const NeedRow = ({ need }: { readonly need: Need }) => {
  const { id, kind, label, tone, age_ms, who, what, sentence, detail, lsn } = need;
  return (
    <li data-id={id}>
      <details open={kind === 'deadlock'}>
        <summary>
          <span class={`chip ${tone}`}>{label}</span>
          <span class="age dim">{age_ms === null ? '' : age(age_ms)}</span>
          <span class="who">{who}</span>
          {sentence === undefined ? <PathWords path={what} /> : <span class="what">{what}</span>}
        </summary>
        <ul class="detail dim">
          {detail
            .filter((line) => line !== what)
            .map((line, nth) => (
              <li key={nth}>{line}</li>
            ))}
        </ul>
      </details>
      {lsn !== undefined && <MomentLink lsn={lsn}>Show</MomentLink>}
    </li>
  );
};
