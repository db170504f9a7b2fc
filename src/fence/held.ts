/** The format of the file `held`. fence/held.pl describes it for the helpers, and fence/pre.sh reads its first line. Pure. */
import type { Key } from '../core/ledger.ts';
import type { AgentId } from '../core/types.ts';

/** One path that is held. */
export interface Entry {
  readonly owner: AgentId;
  /** Absolute. */
  readonly path: string;
  /** The ledger state that it comes from: `path:…` for a lease, `globs:…` for reservations. */
  readonly key: Key;
  /** The holder's epoch at the time of the grant; null: a reservation, which no epoch ends. */
  readonly epoch: number | null;
  readonly since_mono_ms: number;
  readonly ttl_ms: number;
  /** The holder's client, if known: one that runs inside a fence must not be restricted by it. */
  readonly pid: number | null;
}

export interface HeldList {
  readonly entries: readonly Entry[];
  /** The earliest time at which something in it may end without a record. */
  readonly due: { readonly mono_ms: number; readonly boot: string };
  /** What stays writable inside a held directory. */
  readonly writable: readonly string[];
  readonly roots: readonly string[];
}

/** With more owners than this, the preamble asks the helper instead. */
const OWNERS_NAMED = 8;

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\\': '\\\\' };
const escaped = (text: string): string =>
  /[\n\t\\]/.test(text) ? text.replace(/[\n\t\\]/g, (char) => ESCAPES[char] ?? char) : text;
const plainly = (text: string): string =>
  text.includes('\\')
    ? text.replace(/\\(.)/gs, (_, char: string) => (char === 'n' ? '\n' : char === 't' ? '\t' : char))
    : text;

export function formatHeld({ entries, due, writable, roots }: HeldList): string {
  const owners = [...new Set(entries.map(({ owner }) => owner))].sort();
  const named = owners.length > OWNERS_NAMED ? [...owners.slice(0, OWNERS_NAMED), '...'] : owners;
  const lines = [
    ['#', ...named.map(escaped)].join(' '),
    `# due ${Math.ceil(due.mono_ms)} ${due.boot}`,
    ...roots.map((root) => `-\tR\t${escaped(root)}\t`),
    ...writable.map((path) => `-\tW\t${escaped(path)}\t`),
    ...entries.map(lineOf),
  ];
  return `${lines.join('\n')}\n`;
}

function lineOf({ owner, path, pid, key, epoch, since_mono_ms, ttl_ms }: Entry): string {
  const who = [escaped(owner), 'F', escaped(path), pid ?? ''];
  return [...who, escaped(key), epoch ?? '', since_mono_ms, ttl_ms].join('\t');
}

/** Null: there is no such file, or it is incomplete. */
export function parseHeld(text: string): HeldList | null {
  const [first = '', second = '', ...lines] = text.split('\n');
  const [, mono_ms, boot] = /^# due (\d+) (.*)$/.exec(second) ?? [];
  if (!first.startsWith('#') || mono_ms === undefined || boot === undefined || lines.pop() !== '')
    return null;
  // A single pass, because with ten thousand leases this is most of the cost of a commit.
  const entries: Entry[] = [];
  const others: Readonly<Record<string, string[]>> = { W: [], R: [] };
  for (const line of lines) {
    const row = line.split('\t');
    const [, kind = '', path = ''] = row;
    if (kind === 'F') entries.push(entryOf(row));
    else others[kind]?.push(plainly(path));
  }
  const { W: writable = [], R: roots = [] } = others;
  return { entries, due: { mono_ms: Number(mono_ms), boot }, writable, roots };
}

function entryOf(row: readonly string[]): Entry {
  const [owner = '', , path = '', pid = '', key = '', epoch = '', since = '', ttl = ''] = row;
  return {
    owner: plainly(owner),
    path: plainly(path),
    key: plainly(key),
    epoch: epoch === '' ? null : Number(epoch),
    since_mono_ms: Number(since),
    ttl_ms: Number(ttl),
    pid: pid === '' ? null : Number(pid),
  };
}

/** When it should be checked again; null: the file cannot be parsed. */
export function dueOf(text: string): HeldList['due'] | null {
  const [, mono_ms, boot] = /^#[^\n]*\n# due (\d+) ([^\n]*)\n/.exec(text) ?? [];
  return mono_ms === undefined || boot === undefined ? null : { mono_ms: Number(mono_ms), boot };
}
