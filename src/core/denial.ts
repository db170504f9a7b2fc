// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * A denial: a refusal as data, the envelope of design section 4. `error_type`, `message`, `recovery_hint`
 * and, for STALE_FILE, `details.path`, `baseline_hash`, `current_disk_hash` are the Optimistic Locking
 * Guard's own words (its FR-006) and stay verbatim; everything of ours is inside `details`.
 */
import { asksToRead, byPriority, type ErrorType } from './denial-kinds.ts';
import type { Json } from './ledger.ts';

export interface Denial {
  readonly error_type: ErrorType;
  readonly message: string;
  readonly details: Readonly<Record<string, Json>>;
  readonly recovery_hint: string;
}

/** One thing that is wrong with one target. `path` is absolute, as the seed has it. */
export interface Objection {
  readonly error_type: ErrorType;
  readonly path: string;
  readonly message: string;
  readonly details: Readonly<Record<string, Json>>;
  readonly recovery_hint: string;
  /** Steps, each with its place: what is wrong with locks comes before reading, or the reading is old again. */
  readonly next: readonly DenialStep[];
  /** Said first where this comes behind an objection whose own words know nothing of it. */
  readonly lead?: string;
  /** Its steps are all that helps: whatever else is wrong with that path is not worth mending. */
  readonly is_all?: true;
}

export interface DenialStep {
  readonly order: 'release' | 'wait' | 'lock' | 'read' | 'other';
  readonly text: string;
}

const ORDER: readonly DenialStep['order'][] = ['other', 'release', 'wait', 'lock', 'read'];

/** Joins the objections to one call into one denial; null when there are none. */
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
  /** For the details, where the words must stay what they are. */
  readonly lead: string;
}

/**
 * What stands in the way of reading (a holder, a write in flight) is said first: what is read before it is gone is old by the
 * time it can be written. STALE_FILE's words are the specification's and stay, so there `details.hint` says it.
 */
function wordsOf(same: readonly Objection[]): Words {
  const [first] = same as readonly [Objection];
  const isAboutReading = asksToRead(first.error_type) && first.is_all !== true;
  const lead = isAboutReading ? same.slice(1).find((one) => one.lead !== undefined)?.lead : undefined;
  if (lead === undefined || first.error_type === 'STALE_FILE') return { words: first, lead: lead ?? '' };
  const message = `${lead} ${first.message}`;
  return { words: { message, recovery_hint: 'Do what details.next says, in its order.' }, lead: '' };
}

function targetOf(path: string, sorted: readonly Objection[]): Json {
  const own = sorted.filter((objection) => objection.path === path);
  return { path, error_types: own.map((objection) => objection.error_type), ...own[0]?.details };
}

/** Files in one order for everybody: two agents that lock as they are told do not wait for each other. */
function stepsOf(objections: readonly Objection[]): string[] {
  const paths = unique(objections.map(({ path }) => path)).sort((a, b) => (a < b ? -1 : 1));
  const steps = paths.flatMap((path) => stepsFor(objections.filter((one) => one.path === path)));
  return unique(
    ORDER.flatMap((order) => steps.filter((step) => step.order === order).map((step) => step.text)),
  );
}

/** One file is read once, in the words of what is wrong with it first. */
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
