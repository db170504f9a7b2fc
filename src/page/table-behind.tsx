/** A graphic's contents as a table, for people who cannot see it or would rather read. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface Behind {
  readonly caption: string;
  readonly columns: readonly string[];
  /** Made only while the table is open: a long one has thousands of cells. */
  readonly rows: () => readonly (readonly ComponentChildren[])[];
  /** Identifies the table in the document. */
  readonly id: string;
}

export const TABLE_ROWS_MOST = 500;

export function TableBehind({ caption, columns, rows, id }: Behind) {
  const [isOpen, setOpen] = useState(false);
  const all = isOpen ? rows() : [];
  return (
    <details class="behind" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
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
            {all.slice(0, TABLE_ROWS_MOST).map((row, nth) => (
              <tr key={nth}>
                {row.map((cell, column) => (
                  <td key={column}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {all.length > TABLE_ROWS_MOST && (
          <p class="dim">{all.length - TABLE_ROWS_MOST} more rows are left out.</p>
        )}
      </div>
    </details>
  );
}
