/**
 * `install.json` in the state directory: what `guard init` fixed for the whole ledger, so that every process
 * that opens it decides alike, whatever its own configuration says.
 */
import { isAbsolute, join } from 'node:path';
import { isObject } from '../core/json-object.ts';
import { POLICY_VALUES } from '../core/policy/values.ts';
import type { Policy } from '../core/types.ts';
import { badInstall, newerInstall, unwritten } from './install-error.ts';
import { replaceWhole } from './replace-whole.ts';
import { readSmallFile } from './small-file.ts';

export interface Install {
  /** 2: with `shared_as`, which a guard that does not know it must not overlook. */
  readonly v: 1 | 2;
  /** As in the user's mark (known/mark.ts). Absent: written by guard 0.1. */
  readonly id?: string;
  /** The repository's name in a shared ledger (docs/fleet.md). Absent: the ledger belongs to this machine alone. */
  readonly shared_as?: string;
  /** A person decided by `guard fleet leave` that this clone works without the shared ledger that its repository names. */
  readonly alone?: boolean;
  /** No configuration can make enforcement weaker than this. */
  readonly enforcement_floor: Policy['enforcement'];
  /** The setting of `guard init --preset` for files never read. Absent: "changed". */
  readonly unread_floor?: Policy['unread'];
  readonly ttl_ms: number;
  readonly release_on: Policy['release_on'];
  /** Whether the repository's file system treats names that differ in case, or in Unicode form, as the same. */
  readonly case_fold: boolean;
  readonly unicode_fold: boolean;
  /** Absolute package directory of the guard that ran `guard init`. */
  readonly guard_root: string;
  /** RFC 3339. */
  readonly created_at: string;
}

const FILE = 'install.json';
const MAX_BYTES = 65_536;

type Check = (value: unknown) => boolean;
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);

const HEX = '0123456789abcdef';
const isId = (text: string): boolean =>
  text.length === 32 && text.split('').every((char) => HEX.includes(char));

/** `shared_as` and `alone` are checked where they are used. */
const FIELDS: Readonly<Record<Exclude<keyof Install, 'shared_as' | 'alone'>, Check>> = {
  v: oneOf(1, 2),
  id: (value) => value === undefined || (typeof value === 'string' && isId(value)),
  enforcement_floor: oneOf(...POLICY_VALUES.enforcement),
  unread_floor: oneOf(undefined, ...POLICY_VALUES.unread),
  ttl_ms: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  release_on: oneOf(...POLICY_VALUES.release_on),
  case_fold: oneOf(true, false),
  unicode_fold: oneOf(true, false),
  guard_root: (value) => typeof value === 'string' && isAbsolute(value),
  created_at: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
};

function parsed(file: string, text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw badInstall(file, 'is not valid JSON');
}

function checked(file: string, value: object): Install {
  const fields = value as Readonly<Record<string, unknown>>;
  if (typeof fields['v'] === 'number' && fields['v'] > 2) {
    throw newerInstall(file, fields['v']);
  }
  const wrong = Object.entries(FIELDS).find(([name, check]) => !check(fields[name]));
  if (wrong !== undefined) throw badInstall(file, `has no valid "${wrong[0]}"`);
  return value as Install;
}

/**
 * Throws GUARD_ERR_STATE_DIR if the file is missing or damaged, GUARD_ERR_VERSION if it is too new.
 * @param known cache of one event, by directory; read from and added to
 */
export function readInstall(dir: string, known?: Map<string, Install>): Install {
  const install = known?.get(dir) ?? readAnew(dir);
  known?.set(dir, install);
  return install;
}

function readAnew(dir: string): Install {
  const file = join(dir, FILE);
  const read = readSmallFile(file, MAX_BYTES);
  if (read.state === 'missing') throw badInstall(file, 'is missing');
  if (read.state === 'unreadable') throw badInstall(file, `cannot be read (${read.reason})`);
  return checked(file, parsed(file, read.text));
}

/** Replaces the file atomically: a reader sees the old or the new one, even after a crash. */
export function writeInstall(dir: string, install: Install): void {
  const file = join(dir, FILE);
  checked(file, install);
  try {
    replaceWhole(file, `${JSON.stringify(install, null, 2)}\n`, { flush: true });
  } catch (error) {
    throw unwritten(file, error);
  }
}
