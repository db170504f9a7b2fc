/** Where agents get in each other's way: a table with a bar in each cell, as long as its number is large. */
import { useState } from 'preact/hooks';
import { duration } from '../core/time.ts';
import { PathWords } from './path-words.tsx';
import type { PageServer } from './server.ts';
import { useAnswer } from './use-answer.ts';

interface Look {
  readonly server: PageServer;
  readonly version: number;
  readonly window: { readonly from_ms: number; readonly to_ms: number };
}

const DEPTHS = [1, 2, 3, 4];
const SHOWN = 14;

const MEASURES = [
  { column: 'Waited', of: 'waited_ms', words: duration },
  { column: 'Denied', of: 'denials', words: String },
  { column: 'Written', of: 'writes', words: String },
] as const;

export function ContentionTable({ server, version, window }: Look) {
  const [depth, setDepth] = useState(2);
  const answer = useAnswer(server, '/page/contention', { ...window, depth }, version);
  const found = (answer?.directories ?? []).slice(0, SHOWN);
  const measures = MEASURES.map((one) => ({
    ...one,
    most: Math.max(1, ...found.map((directory) => directory[one.of])),
  }));
  return (
    <section id="contention" aria-labelledby="contention-title">
      <div class="heading">
        <h2 id="contention-title">Contention by directory</h2>
        <label>
          <span class="dim">Levels</span>
          <select value={depth} onChange={({ currentTarget }) => setDepth(Number(currentTarget.value))}>
            {DEPTHS.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
      </div>
      {found.length === 0 ? (
        <p class="calm">{answer === null ? 'Looking…' : 'No agent was in another’s way.'}</p>
      ) : (
        <table id="contention-table" class="contention">
          <thead>
            <tr>
              <th scope="col">Directory</th>
              {measures.map(({ column }) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
              <th scope="col">Agents</th>
            </tr>
          </thead>
          <tbody>
            {found.map((one) => (
              <tr key={one.directory}>
                <th scope="row">
                  <PathWords path={one.directory === '' ? '.' : one.directory} />
                </th>
                {measures.map(({ column, of, words, most }) => (
                  <Measured key={of} value={one[of]} most={most} words={words(one[of])} column={column} />
                ))}
                <td data-column="Agents">{one.agents}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

interface Measure {
  readonly value: number;
  readonly most: number;
  readonly words: string;
  /** Its heading, which a narrow page shows in the cell. */
  readonly column: string;
}

const Measured = ({ value, most, words, column }: Measure) => (
  <td class={`measured ${column.toLowerCase()}`} data-column={column}>
    <span class="length" style={{ width: `${((value / most) * 100).toFixed(1)}%` }} />
    <span class="words">{value === 0 ? '–' : words}</span>
  </td>
);
