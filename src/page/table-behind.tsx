/** A graphic's contents as a table, for people who cannot see it or would rather read. */
import type { ComponentChildren } from 'preact';

interface Behind {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** Identifies the table in the document. */
  readonly id: string;
}

const ROWS_MOST = 500;

export const TableBehind = ({ caption, columns, rows, id }: Behind) => (
  <details class="behind">
    <summary>As a table</summary>
    <div class="scroll" tabindex={0} role="group" aria-label={caption}>
      <table id={id}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS_MOST).map((row, nth) => (
            <tr key={nth}>
              {row.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > ROWS_MOST && <p class="dim">{rows.length - ROWS_MOST} more rows are left out.</p>}
    </div>
  </details>
);
