/** Asks the hook about corpus rows, each in a repository in the row's state. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROCESSES, type Ways } from './client.ts';
import { changeOwn, Copies } from './fixture.ts';
import type { Row } from './rows.ts';
import { type Noticed, Stage } from './stage.ts';

export interface Verdict {
  readonly row: Row;
  readonly denied: boolean;
  readonly took_ms: number;
}

/** Where commands are checked. */
export interface Place {
  /** The package under test, built. */
  readonly guard: string;
  /** Each place has its own directory, in which the repositories reuse one path. */
  readonly copies: Copies;
  readonly ways: Ways;
}

/** Passes a place to `use`, and removes it afterwards. */
export async function inPlace<T>(
  guard: string,
  use: (place: Place) => T | Promise<T>,
  ways: Ways = PROCESSES,
): Promise<T> {
  const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'shell-corpus-')));
  try {
    return await use({ guard, ways, copies: new Copies(dir, join(guard, 'node_modules')) });
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

/** Groups rows that can share a repository, and within them rows with the same held files. */
export function judgeAll(rows: readonly Row[], place: Place): readonly Verdict[] {
  const stateOf = ({ variant, own }: Row): string => JSON.stringify([variant, own]);
  return [...new Set(rows.map(stateOf))].flatMap((state) => {
    const group = rows.filter((row) => stateOf(row) === state);
    const sorted = group.toSorted((a, b) => (String(a.held) < String(b.held) ? -1 : 1));
    const [first] = sorted;
    if (first === undefined) return [];
    return onStage(first, place, (stage) =>
      sorted.map((row) => {
        const { denied, took_ms } = stage.ask(row);
        return { row, denied, took_ms };
      }),
    );
  });
}

/** Checks one row in a fresh repository, and runs its command unless it is denied. */
export async function perform(row: Row, place: Place): Promise<Noticed | null> {
  const stage = stageFor(row, place);
  try {
    return await stage.perform(row);
  } finally {
    stage.close();
  }
}

/** Passes `act` a stage in the state that `row` asks for. */
export function onStage<T>(row: Wanted, place: Place, act: (stage: Stage) => T): T {
  const stage = stageFor(row, place);
  try {
    return act(stage);
  } finally {
    stage.close();
  }
}

type Wanted = Pick<Row, 'variant' | 'own'> & { readonly is_alone?: boolean };

function stageFor({ variant, own, is_alone }: Wanted, { guard, copies, ways }: Place): Stage {
  const places = copies.fresh(variant);
  changeOwn(places, own);
  return new Stage({ places, guard, ways, is_alone });
}
