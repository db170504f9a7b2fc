/** The file `held`: what its lines say. fence/held.pl describes it for the helpers, fence/pre.sh reads its first line. Pure. */
import type { Key } from '../core/ledger.ts';
import type { AgentId } from '../core/types.ts';

/** One path that somebody holds. */
export interface Entry {
  readonly owner: AgentId;
  /** Absolute. */
  readonly path: string;
  /** The state of the ledger that it comes from: `path:…` of a lease, `globs:…` of reservations. */
  readonly key: Key;
  /** The holder's epoch at the grant; null: a reservation, which no epoch ends. */
  readonly epoch: number | null;
  readonly since_mono_ms: number;
  readonly ttl_ms: number;
  /** The holder's client, where it is known: one that runs inside of a fence must not be fenced by it. */
  readonly pid: number | null;
}

export interface HeldList {
  readonly entries: readonly Entry[];
  /** From then on something in it may have ended by itself. */
  readonly due: { readonly mono_ms: number; readonly boot: string };
  /** What stays writable in a held directory. */
  readonly writable: readonly string[];
  readonly roots: readonly string[];
}

/** More are not named: the preamble then asks the helper. */
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

/** Null: no such file, or not a whole one. */
export function parseHeld(text: string): HeldList | null {
  const [first = '', second = '', ...lines] = text.split('\n');
  const [, mono_ms, boot] = /^# due (\d+) (.*)$/.exec(second) ?? [];
  if (!first.startsWith('#') || mono_ms === undefined || boot === undefined || lines.pop() !== '')
    return null;
  // One pass: with ten thousand leases this is most of what a commit pays.
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

/** When somebody should look at it again; null: the file says nothing that can be read. */
export function dueOf(text: string): HeldList['due'] | null {
  const [, mono_ms, boot] = /^#[^\n]*\n# due (\d+) ([^\n]*)\n/.exec(text) ?? [];
  return mono_ms === undefined || boot === undefined ? null : { mono_ms: Number(mono_ms), boot };
}
