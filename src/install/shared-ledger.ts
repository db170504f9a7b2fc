/**
 * `guard init --join`: makes a clone use the ledger of another one. Its state directory keeps what is its own: the
 * installation, its mark, its server. Its previous ledger is put aside there, and replaced by one that no guard opens, so
 * that a version that does not know about joining refuses instead of starting a second one.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { asText, parsedObject } from '../core/json-object.ts';
import type { Now } from '../core/types.ts';
import { CLONES, cloneIn, LEDGER_POINTER, ownStateDir } from '../repo/clones.ts';
import type { Repo } from '../repo/locate.ts';
import { mainRoot } from '../repo/main-root.ts';
import { replaceWhole } from '../repo/replace-whole.ts';
import { textOf } from '../repo/small-file.ts';
import { alone, CLOSED_SEGMENT, closeLedger, isClosed, list } from '../store/upkeep.ts';

/** A ledger that can be joined, as its own clone has it. */
export interface SharedLedger {
  readonly state_dir: string;
  readonly common_dir: string;
  /** Root of the clone that owns it. */
  readonly root: string;
}

/** The parts of a state directory that remain the clone's own. */
const OWN =
  /^(?:install\.json|undo\.json|off\.json|veto-pass\.json|lock|ledger|warm|warm-hook(?:\.pl)?|forecast|\.gitignore|before-join)$/;
const ASIDE = 'before-join';

/** @returns the name that the clone has in that ledger from now on */
export function joinLedger(own: Repo, ledger: SharedLedger, now: Now): string {
  const dir = own.state_dir;
  let id = '';
  alone(dir, () => {
    // Of two that join at the same time, the second keeps the name that the first one gave.
    id = nameFor(own, ledger);
    mkdirSync(join(ledger.state_dir, CLONES), { recursive: true, mode: 0o700 });
    const clone = { v: 1, common_dir: own.common_dir, root: mainRoot(own) };
    replaceWhole(join(ledger.state_dir, CLONES, id), `${JSON.stringify(clone)}\n`, { flush: true });
    const pointer = { v: 1, id, state_dir: ledger.state_dir, common_dir: ledger.common_dir };
    replaceWhole(join(dir, LEDGER_POINTER), `${JSON.stringify(pointer)}\n`, { flush: true });
    mkdirSync(join(dir, ASIDE), { recursive: true, mode: 0o700 });
    for (const name of readdirSync(dir).filter((one) => !OWN.test(one)))
      if (name !== CLOSED_SEGMENT || !isClosed(dir)) renameSync(join(dir, name), join(dir, ASIDE, name));
    closeLedger(dir, now.wall_ms);
  });
  return id;
}

/** A clone that returns or was moved keeps its name, which its files have in the ledger's history. */
function nameFor({ state_dir, common_dir, root }: Repo, ledger: SharedLedger): string {
  const before = asText(parsedObject(textOf(join(state_dir, LEDGER_POINTER)))['id']);
  const known = before === '' ? null : cloneIn(ledger.state_dir, before);
  if (known !== null && (known.common_dir === common_dir || !isClone(known.common_dir, before)))
    return before;
  const name = basename(root)
    .replace(/[^\w.-]/g, '-')
    .slice(0, 24);
  return `~${name}-${randomBytes(3).toString('hex')}`;
}

/** Whether a clone itself still says that it has this name in another clone's ledger. */
export const isClone = (common_dir: string, id: string): boolean =>
  parsedObject(textOf(join(common_dir, 'guard', LEDGER_POINTER)))['id'] === id;

export const hasLedgerAside = (repo: Repo): boolean => existsSync(join(ownStateDir(repo), ASIDE));

/** Gives the clone its own ledger back, unchanged. What it did meanwhile stays in the other. May be repeated after a crash. */
export function leaveLedger(repo: Repo): void {
  const { joined, state_dir, common_dir } = repo;
  const dir = ownStateDir(repo);
  alone(dir, () => {
    if (joined !== undefined && cloneIn(state_dir, joined.id)?.common_dir === common_dir)
      forgetClone(state_dir, joined.id);
    rmSync(join(dir, LEDGER_POINTER), { force: true });
    const names = attempt(() => readdirSync(join(dir, ASIDE)), []);
    // A process that tried to open the closed ledger may have made an index of it.
    if (names.length === 0 && isClosed(dir) && list(dir).segments.length === 1)
      for (const name of readdirSync(dir).filter((one) => !OWN.test(one)))
        rmSync(join(dir, name), { recursive: true });
    // Records come first, so that a ledger that is only half restored is not taken for a new one.
    for (const name of names.toSorted((a, b) => Number(isSegment(b)) - Number(isSegment(a))))
      renameSync(join(dir, ASIDE, name), join(dir, name));
    if (isClosed(dir)) rmSync(join(dir, CLOSED_SEGMENT));
    attempt(() => rmdirSync(join(dir, ASIDE)), undefined);
  });
}

const isSegment = (name: string): boolean => name.startsWith('ledger-');

/** The last one takes the list's directory with it. */
export function forgetClone(state_dir: string, id: string): void {
  rmSync(join(state_dir, CLONES, id), { force: true });
  attempt(() => rmdirSync(join(state_dir, CLONES)), undefined);
}
