/** What a row's command really does, in a fresh copy of its repository, always at the same path. */
import fs from 'node:fs';
import { join } from 'node:path';
import { changesBetween, pathsOf, type Ran, runIn, snapshot } from './effects.ts';
import { changeOwn, type Copies, foreignIn, type Places } from './fixture.ts';
import type { Row } from './rows.ts';

export interface Measured extends Ran {
  readonly changes: readonly string[];
  /** Why the row's description is wrong; empty if it is right. */
  readonly wrong: string;
}

export async function measure(row: Row, copies: Copies): Promise<Measured> {
  const places = copies.fresh(row.variant);
  changeOwn(places, row.own);
  const others = [...row.held, ...foreignIn(row.variant)].filter((path) => !row.own.includes(path));
  const [before, keys] = [snapshot(places.root), keysOf(places, others)];
  const ran = await runIn(places, row.cwd, row.command);
  const changes = changesBetween(before, snapshot(places.root));
  const rewritten = others.filter((path, at) => keysOf(places, [path])[0] !== keys[at]);
  return { ...ran, changes, wrong: wrongIn(row, changes, rewritten, ran) };
}

/** Changes with every write, even one that writes the same bytes. */
const keysOf = ({ root }: Places, paths: readonly string[]): readonly string[] =>
  paths.map((path) => {
    const stat = fs.lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? '' : `${stat.ino} ${stat.ctimeNs}`;
  });

function wrongIn(
  { kind, held }: Row,
  changes: readonly string[],
  rewritten: readonly string[],
  { exit }: Ran,
): string {
  if (exit === null) return 'did not end';
  if (kind === 'harmless') return rewritten.length === 0 ? '' : `writes ${rewritten.join(', ')}`;
  return pathsOf(changes).some((path) => held.includes(path)) ? '' : 'changes nothing that is held';
}
