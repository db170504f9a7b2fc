/** The corpora against the hook: each row asked in a repository of its state. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from './rows.ts';
import { Stage } from './stage.ts';
import type { Noticed } from './stage.ts';

export interface Verdict {
  readonly row: Row;
  readonly denied: boolean;
  readonly took_ms: number;
}

/** Rows that can share a repository follow each other, those of the same holder's files too. */
export function judgeAll(rows: readonly Row[], guard: string): readonly Verdict[] {
  const stateOf = ({ variant, own }: Row): string => JSON.stringify([variant, own]);
  return [...new Set(rows.map(stateOf))].flatMap((state) => {
    const group = rows.filter((row) => stateOf(row) === state);
    const sorted = group.toSorted((a, b) => (String(a.held) < String(b.held) ? -1 : 1));
    const [first] = sorted;
    if (first === undefined) return [];
    return onStage(first, guard, (stage) =>
      sorted.map((row) => {
        const { denied, took_ms } = stage.ask(row);
        return { row, denied, took_ms };
      }),
    );
  });
}

/** The same for one row in a fresh repository, run for real where it is not denied. */
export async function perform(row: Row, guard: string): Promise<Noticed | null> {
  const base = scratch();
  const stage = new Stage({ base, guard, variant: row.variant, own: row.own });
  try {
    return await stage.perform(row);
  } finally {
    stage.close();
    fs.rmSync(base, { recursive: true, force: true });
  }
}

/** With a repository as `row` wants it. */
export function onStage<T>(row: Pick<Row, 'variant' | 'own'>, guard: string, act: (stage: Stage) => T): T {
  const base = scratch();
  const stage = new Stage({ base, guard, variant: row.variant, own: row.own });
  try {
    return act(stage);
  } finally {
    stage.close();
    fs.rmSync(base, { recursive: true, force: true });
  }
}

const scratch = (): string => fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'shell-corpus-')));
