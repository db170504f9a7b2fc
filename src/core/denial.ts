// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * A denial: a refusal as data, in the envelope of design section 4. `error_type`, `message`, `recovery_hint` and, for
 * STALE_FILE, `details.path`, `baseline_hash`, `current_disk_hash` are defined by the Optimistic Locking Guard (its
 * FR-006) and stay verbatim; guard's own additions are inside `details`.
 */
import { asksToRead, byPriority, type ErrorType } from './denial-kinds.ts';
import type { Json } from './ledger.ts';

export interface Denial {
  readonly error_type: ErrorType;
  readonly message: string;
  readonly details: Readonly<Record<string, Json>>;
  readonly recovery_hint: string;
}

/** One problem with one target. `path` is absolute, as the specification requires. */
export interface Objection {
  readonly error_type: ErrorType;
  readonly path: string;
  readonly message: string;
  readonly details: Readonly<Record<string, Json>>;
  readonly recovery_hint: string;
  /** Steps, each with its place in the order: locks come before reading, so that what was read is still current. */
  readonly next: readonly DenialStep[];
  /** Put in front if this follows an objection whose fixed text does not mention it. */
  readonly lead?: string;
  /** Only these steps help: fixing anything else about that path would be pointless. */
  readonly is_all?: true;
}

export interface DenialStep {
  readonly order: 'release' | 'wait' | 'lock' | 'read' | 'other';
  readonly text: string;
}

const ORDER: readonly DenialStep['order'][] = ['other', 'release', 'wait', 'lock', 'read'];

/** Merges the objections to one call into one denial; `null` if there are none. */
export function denialOf(objections: readonly Objection[]): Denial | null {
  const sorted = [...objections].sort((a, b) => byPriority(a.error_type, b.error_type));
  const first = sorted[0];
  if (first === undefined) return null;
  const same = sorted.filter((objection) => objection.path === first.path);
  const also = unique(same.slice(1).map((objection) => objection.error_type));
  const { hint, ...merged } = factsOf(same);
  const paths = unique(sorted.map((objection) => objection.path));
  const { words, lead } = wordsOf(same);
  const hints = [lead, hint].filter((one): one is string => typeof one === 'string' && one !== '');
  return {
    error_type: first.error_type,
    message: words.message,
    details: {
      path: first.path,
      ...(hints.length > 0 ? { hint: hints.join(' ') } : {}),
      ...merged,
      ...(also.length > 0 ? { also } : {}),
      next: stepsOf(sorted),
      ...(paths.length > 1 ? { targets: paths.map((path) => targetOf(path, sorted)) } : {}),
    },
    recovery_hint: words.recovery_hint,
  };
}

const factsOf = (same: readonly Objection[]): Record<string, Json> =>
  Object.assign({}, ...same.map((objection) => objection.details).reverse()) as Record<string, Json>;

interface Words {
  readonly words: Pick<Objection, 'message' | 'recovery_hint'>;
  /** For `details.hint`, if the message must not change. */
  readonly lead: string;
}

/**
 * Obstacles to reading (a holder, a write in flight) are reported first: what is read before they are gone is outdated
 * by the time it can be written. STALE_FILE's texts are fixed by the specification, so there the obstacle goes into
 * `details.hint`.
 */
function wordsOf(same: readonly Objection[]): Words {
  const [first] = same as readonly [Objection];
  const isAboutReading = asksToRead(first.error_type) && first.is_all !== true;
  const lead = isAboutReading ? same.slice(1).find((one) => one.lead !== undefined)?.lead : undefined;
  if (lead === undefined || first.error_type === 'STALE_FILE') return { words: first, lead: lead ?? '' };
  const message = `${lead} ${first.message}`;
  return { words: { message, recovery_hint: 'Follow the steps of details.next, in order.' }, lead: '' };
}

function targetOf(path: string, sorted: readonly Objection[]): Json {
  const own = sorted.filter((objection) => objection.path === path);
  return { path, error_types: own.map((objection) => objection.error_type), ...own[0]?.details };
}

/** Files are listed in one global order, so that agents that lock as instructed do not wait for each other. */
function stepsOf(objections: readonly Objection[]): string[] {
  const paths = unique(objections.map(({ path }) => path)).sort((a, b) => (a < b ? -1 : 1));
  const steps = paths.flatMap((path) => stepsFor(objections.filter((one) => one.path === path)));
  return unique(
    ORDER.flatMap((order) => steps.filter((step) => step.order === order).map((step) => step.text)),
  );
}

/** A file is read only once, with the text of the first problem that requires it. */
function stepsFor(own: readonly Objection[]): readonly DenialStep[] {
  const all = own.find((objection) => objection.is_all === true);
  if (all !== undefined) return all.next;
  const reads = own.find(({ next }) => next.some(isRead));
  return own.flatMap((one) => (one === reads ? one.next : one.next.filter((step) => !isRead(step))));
}

const isRead = ({ order }: DenialStep): boolean => order === 'read';

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
