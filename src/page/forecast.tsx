/** What would conflict if all checkouts were merged now; only on request, because it takes git a while. */
import { useState } from 'preact/hooks';
import { type PageServer, Unanswered } from './server.ts';
import { PathWords } from './path-words.tsx';
import type { ForecastShown } from './wire.ts';
import { amountOf } from './words.ts';

type Known =
  { readonly state: 'none' | 'asked' } | { readonly state: 'failed'; readonly words: string } | ForecastKnown;
interface ForecastKnown {
  readonly state: 'known';
  readonly forecast: ForecastShown;
}

export function ForecastSection({ server }: { readonly server: PageServer }) {
  const [known, setKnown] = useState<Known>({ state: 'none' });
  const ask = (): void => {
    setKnown({ state: 'asked' });
    server.get('/page/forecast').then(
      (forecast) => setKnown({ state: 'known', forecast }),
      (error: unknown) =>
        setKnown({
          state: 'failed',
          words: error instanceof Unanswered ? error.message : 'The server does not answer.',
        }),
    );
  };
  return (
    <section id="forecast" aria-labelledby="forecast-title">
      <div class="heading">
        <h2 id="forecast-title">If all worktrees were merged now</h2>
        <button type="button" onClick={ask} disabled={known.state === 'asked'}>
          {known.state === 'asked' ? 'Merging…' : 'Look ahead'}
        </button>
      </div>
      <div role="status">
        {known.state === 'none' && (
          <p class="calm">Git merges them in the background, and nothing is changed.</p>
        )}
        {known.state === 'failed' && <p>{known.words}</p>}
        {known.state === 'known' && <Answer {...known} />}
      </div>
    </section>
  );
}

function Answer({ forecast: { checkouts, pairs, trunk, order, notes } }: ForecastKnown) {
  const own = checkouts.filter(({ has_own }) => has_own).length;
  const branch = new Map(
    checkouts.map((one) => [one.id, one.branch ?? (one.id === '' ? 'main checkout' : one.id)]),
  );
  const nameOf = (id: string): string => branch.get(id) ?? id;
  const conflicts = [
    ...trunk.map(({ id, files }) => ({ a: nameOf(id), b: 'the trunk', files })),
    ...pairs.map(({ a, b, files }) => ({ a: nameOf(a), b: nameOf(b), files })),
  ];
  return (
    <>
      <p>
        {amountOf(checkouts.length, 'checkout')}, {own} with work of {own === 1 ? 'its' : 'their'} own.{' '}
        {conflicts.length === 0
          ? 'Nothing would conflict.'
          : order.first.length > 0 && `Merge first: ${order.first.map(nameOf).join(', ')}.`}
      </p>
      {conflicts.length > 0 && (
        <table id="forecast-table">
          <thead>
            <tr>
              <th scope="col">Checkout</th>
              <th scope="col">Against</th>
              <th scope="col">Files in conflict</th>
            </tr>
          </thead>
          <tbody>
            {conflicts.map(({ a, b, files }) => (
              <tr key={`${a} ${b}`}>
                <td>{a}</td>
                <td>{b}</td>
                <td>{files.map((path, nth) => [nth > 0 && ', ', <PathWords key={path} path={path} />])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {notes.length > 0 && (
        <ul class="dim">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </>
  );
}
