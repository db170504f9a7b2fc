/**
 * The one loop above all engines: look, run the pure step, commit, and repeat if something moved. What a step reads is
 * loaded when it reads it. An engine that can keep still answers each read directly. With any other, the step first
 * runs on an empty look; everything it missed is then looked up together and it runs again, as many times as its reads
 * depend on one another.
 */
import { isGuardError } from '../core/error.ts';
import type { Key, RecordBody } from '../core/ledger.ts';
import { BLANK, isCovered, type LookData, keysOf, listName } from './look.ts';
import { endless } from './told-failure.ts';
import { fill, NEXT } from './placeholder.ts';
import type {
  AtPace,
  Committed,
  Engine,
  Index,
  Listed,
  StoreLook,
  Pace,
  Read,
  Sight,
  Step,
  StillOptions,
  Steps,
} from './store.ts';

const ROUNDS_MAX = 1024;
/** An agent may hold tens of thousands of files and ask for as many together; a step that asks for more than this never ends. */
const KEYS_MAX = 100_000;

type Soon<T> = T | Promise<T>;
type AnyEngine = Engine<'now'> | Engine<'later'>;

const whenThere = <A, B>(value: Soon<A>, then: (value: A) => Soon<B>): Soon<B> =>
  value instanceof Promise ? value.then(then) : then(value);

/** What a step has been shown, and what it asked for that was missing. */
interface Reading {
  readonly view: Sight;
  readonly look: LookData;
  readonly missed: Set<Key>;
  readonly gaps: Index[];
  read(): Read;
}

/** Marks a state that the version of its list protects. */
const BY_LIST = -1;

/** @param ask answers immediately and for the same moment; absent: reads missing from `look` are noted */
function openReading(look: LookData, ask?: Engine<'now'>): Reading {
  const states = new Map(look.states);
  const lists = new Map<string, Listed>();
  const used = { keys: new Map<Key, number>(), lists: new Map<string, Listed>() };
  const [missed, gaps]: [Set<Key>, Index[]] = [new Set(), []];
  let asked = 0;
  const learn = (list: Listed): void => {
    lists.set(listName(list), list);
    for (const [key, state] of list.entries)
      if (!states.has(key)) states.set(key, { state, version: BY_LIST });
  };
  look.lists.forEach(learn);
  const isListed = (key: Key): boolean => [...used.lists.values()].some((list) => isCovered(list, key));
  const listed = (index: Index): Listed | undefined => {
    const name = listName(index);
    if (!lists.has(name)) ask?.look([], [index]).lists.forEach(learn);
    const list = lists.get(name);
    if (list) used.lists.set(name, list);
    else gaps.push(index);
    return list;
  };
  const stated = (key: Key) => {
    const known = states.get(key);
    if (known !== undefined || (used.lists.size > 0 && isListed(key))) return known;
    if (++asked > KEYS_MAX) throw endless(asked);
    const found = ask?.look([key]).states.get(key);
    if (found === undefined) missed.add(key);
    else states.set(key, found);
    return found;
  };
  return {
    look,
    missed,
    gaps,
    view: {
      next: NEXT,
      tip: look.tip,
      now: look.now,
      indexed: look.indexed,
      get(key) {
        const one = stated(key);
        if (one && one.version !== BY_LIST) used.keys.set(key, one.version);
        return one?.state;
      },
      range: (below, since = 0, most = 0) => listed({ below, since, most })?.entries ?? [],
      keys: (below, after, most, since = 0) => keysOf(listed({ below, since, most, after })),
    },
    read: () => ({ tip: look.tip, indexed: look.indexed, keys: used.keys, lists: [...used.lists.values()] }),
  };
}

/** Undefined if the step missed something, so whatever it returned or threw is meaningless. */
function run<T>({ view, look, missed, gaps }: Reading, step: (view: Sight) => Step<T>): Step<T> | undefined {
  const isWhole = (): boolean => look !== BLANK && missed.size + gaps.length === 0;
  try {
    const answer = step(view);
    if (isWhole()) return answer;
  } catch (error) {
    if (isGuardError(error) || isWhole()) throw error;
  }
  return undefined;
}

/** Looks at everything known so far again, too, so that the look is of one moment. */
function lookAgain(engine: AnyEngine, { look, missed, gaps }: Reading): Soon<StoreLook> {
  const keys = [...look.states.keys(), ...missed];
  if (keys.length > KEYS_MAX) throw endless(keys.length);
  return engine.look(keys, [...look.lists, ...gaps]);
}

function loop<T>(engine: AnyEngine, isStill: boolean, step: (view: Sight) => Step<T>, id?: string): Soon<T> {
  const again = (look: LookData, round: number): Soon<T> => {
    if (round >= ROUNDS_MAX) throw endless(look.states.size);
    const reading = openReading(look, isStill ? (engine as Engine<'now'>) : undefined);
    const answer = run(reading, step);
    if (!answer) return whenThere(lookAgain(engine, reading), (fresh) => again(fresh, round + 1));
    const { records, result } = answer;
    if (records.length === 0) return records === NONE ? result : fill(result, look.tip);
    return whenThere<Committed, T>(engine.commit(reading.read(), records, id), (done) =>
      done.verdict === 'moved' ? again(done.look, round + 1) : fill(result, done.lsn),
    );
  };
  return isStill ? whenThere<StoreLook, T>(engine.look([]), (look) => again(look, 0)) : again(BLANK, 0);
}

export interface TransactOptions {
  /** Makes a repetition harmless, for a request whose answer was lost. */
  readonly id?: string;
  /** How long to wait for others. Default: the store's own limit. */
  readonly wait_ms?: number;
}

/**
 * Atomic and serialisable. A step without records commits nothing and takes no lsn.
 * @throws GuardError GUARD_ERR_INTERNAL if a step never stops asking; whatever the engine throws
 */
export const transact = <T, P extends Pace>(
  store: Steps<P>,
  step: (view: Sight) => Step<T>,
  options: TransactOptions = {},
): AtPace<P, T> => within(store, step, { writes: true, ...options });

/** Recognised by identity: a read-only result, which may have ten thousand rows, is not searched for placeholders. */
const NONE: readonly RecordBody[] = [];

/** What `see` returns for one moment of the ledger. Nothing is written, and no placeholder is filled in. */
export const consult = <T, P extends Pace>(
  store: Steps<P>,
  see: (view: Sight) => T,
  options: Pick<StillOptions, 'wait_ms' | 'alone'> = {},
): AtPace<P, T> =>
  within(store, (view) => ({ records: NONE, result: see(view) }), { writes: false, ...options });

function within<T, P extends Pace>(
  store: Steps<P>,
  step: (view: Sight) => Step<T>,
  { id, ...options }: StillOptions & TransactOptions,
): AtPace<P, T> {
  const found = store.still
    ? store.still((engine) => loop(engine as AnyEngine, true, step, id), options)
    : loop(store as AnyEngine, false, step, id);
  return found as AtPace<P, T>;
}
