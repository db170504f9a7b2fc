/** What a row's command really does, in a fresh copy of its repository that is at the same path every time. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { changesBetween, pathsOf, runIn, snapshot } from './effects.ts';
import type { Ran } from './effects.ts';
import { changeOwn, foreignIn, makeFixture, placesIn, SIDE } from './fixture.ts';
import type { Places, Variant } from './fixture.ts';
import type { Row } from './rows.ts';

export interface Measured extends Ran {
  readonly changes: readonly string[];
  /** Why the row is not what it says it is; empty where it is. */
  readonly wrong: string;
}

/** A worktree knows where its repository is by absolute paths, so each copy is put where the first one was made. */
export class Ground {
  readonly #base: string;
  readonly #packages: string;

  constructor(base: string, packages: string) {
    this.#base = base;
    this.#packages = packages;
  }

  async measure(row: Row): Promise<Measured> {
    const places = this.#fresh(row.variant);
    changeOwn(places, row.own);
    const before = snapshot(places.root);
    const ran = await runIn(places, row.cwd, row.command);
    const changes = changesBetween(before, snapshot(places.root));
    return { ...ran, changes, wrong: wrongIn(row, changes, ran) };
  }

  #fresh(variant: Variant): Places {
    const [kept, live] = [join(this.#base, `kept-${variant}`), join(this.#base, 'live')];
    fs.rmSync(live, { recursive: true, force: true });
    if (!fs.existsSync(kept)) {
      makeFixture(live, { variant, own: [], packages: this.#packages });
      fs.renameSync(live, kept);
    }
    execFileSync('cp', ['-a', kept, live]);
    const places = placesIn(live);
    // A copy has other inodes; git would take each of its files for changed and write it again.
    for (const dir of variant === 'worktree' ? ['.', SIDE] : ['.'])
      execFileSync('git', ['status', '--short'], { cwd: join(places.root, dir), env: places.env });
    return places;
  }
}

function wrongIn({ kind, held, variant, own }: Row, changes: readonly string[], ran: Ran): string {
  if (ran.exit === null) return 'did not end';
  const touched = pathsOf(changes);
  if (kind === 'writes')
    return touched.some((path) => held.includes(path)) ? '' : 'changes nothing that is held';
  const others = [...held, ...foreignIn(variant)].filter((path) => !own.includes(path));
  const hit = touched.filter((path) => others.includes(path));
  return hit.length === 0 ? '' : `changes ${hit.join(', ')}`;
}
