/**
 * The one loop above all engines: look, run the pure step, commit, and repeat if something moved. What a step reads is
 * loaded when it reads it. An engine that can keep still answers each read directly. With any other, the step first
 * runs on an empty look; everything it missed is then looked up together and it runs again, as many times as its reads
 * depend on one another.
 */
import { isGuardError } from '../core/error.ts';
import type { RecordBody } from '../core/ledger.ts';
import { BLANK, type LookData } from './look.ts';
import { endless } from './told-failure.ts';
import { fill } from './placeholder.ts';
import { KEYS_MAX, openReading, type StepReading } from './reading.ts';
import type {
  AtPace,
  Committed,
  Engine,
  StoreLook,
  Pace,
  Sight,
  Step,
  StillOptions,
  Steps,
} from './store.ts';
import type { TransactOptions } from './transact-options.ts';

export type { TransactOptions } from './transact-options.ts';

const ROUNDS_MAX = 1024;

type Soon<T> = T | Promise<T>;
type AnyEngine = Engine<'now'> | Engine<'later'>;

const whenThere = <A, B>(value: Soon<A>, then: (value: A) => Soon<B>): Soon<B> =>
  value instanceof Promise ? value.then(then) : then(value);

/** Undefined if the step missed something, so whatever it returned or threw is meaningless. */
function run<T>(
  { view, look, missed, gaps }: StepReading,
  step: (view: Sight) => Step<T>,
): Step<T> | undefined {
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
function lookAgain(engine: AnyEngine, { look, missed, gaps }: StepReading): Soon<StoreLook> {
  const keys = [...look.states.keys(), ...missed];
  if (keys.length > KEYS_MAX) throw endless(keys.length);
  return engine.look(keys, [...look.lists, ...gaps]);
}

function loop<T>(
  engine: AnyEngine,
  isStill: boolean,
  step: (view: Sight) => Step<T>,
  { id, first }: TransactOptions,
): Soon<T> {
  const again = (look: LookData, round: number): Soon<T> => {
    if (round >= ROUNDS_MAX) throw endless(look.states.size);
    const reading = openReading(look, isStill ? (engine as Engine<'now'>) : undefined);
    const answer = run(reading, step);
    if (!answer) return whenThere(lookAgain(engine, reading), (fresh) => again(fresh, round + 1));
    const { result } = answer;
    const records = answer.records.length === 0 && first ? first.sign : answer.records;
    if (records.length === 0) return records === NONE ? result : fill(result, look.tip);
    first?.keep(result, records);
    return whenThere<Committed, T>(engine.commit(reading.read(), records, id), (done) =>
      done.verdict === 'moved'
        ? again(done.look, round + 1)
        : fill(first && done.verdict === 'repeated' ? (first.answer(result) as T) : result, done.lsn),
    );
  };
  return isStill ? whenThere<StoreLook, T>(engine.look([]), (look) => again(look, 0)) : again(BLANK, 0);
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
  options: StillOptions & TransactOptions,
): AtPace<P, T> {
  const found = store.still
    ? store.still((engine) => loop(engine as AnyEngine, true, step, options), options)
    : loop(store as AnyEngine, false, step, options);
  return found as AtPace<P, T>;
}
