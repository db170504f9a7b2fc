/** The engine's side of the thread boundary: answers questions while the asking thread sleeps. */
import { workerData } from 'node:worker_threads';
import type { LedgerRecord } from '../../core/ledger.ts';
import type { Store } from '../store.ts';
import {
  type ThreadAnswer,
  type ThreadAsk,
  committedOnWire,
  toldErrorOf,
  lookOnWire,
  type Question,
  type Questions,
  type SentRecord,
  type ThreadData,
  type Watching,
} from './wire.ts';

/** Opens the engine on the first question. If opening fails, the next question tries again. */
export function serveThread(open: (config: unknown) => Promise<Store<'later'>>): void {
  const { config, port, rung } = workerData as ThreadData;
  let opening: Promise<Store<'later'>> | undefined;
  const opened = (): Promise<Store<'later'>> => {
    const tried = (opening ??= open(config));
    tried.catch(() => {
      if (opening === tried) opening = undefined;
    });
    return tried;
  };
  const say = (answered: ThreadAnswer): void => {
    port.postMessage(answered);
    Atomics.add(rung, 0, 1);
    Atomics.notify(rung, 0);
  };
  port.on('message', (message: ThreadAsk) => {
    if ('name' in message) {
      void send(message, opened);
      return;
    }
    const { nth, asked } = message;
    answer(asked, opened).then(
      (value) => say({ nth, value }),
      (error: unknown) => say({ nth, failure: toldErrorOf(error) }),
    );
  });
}

type Opened = () => Promise<Store<'later'>>;
type Answers = {
  [Name in keyof Questions]: (
    store: Store<'later'>,
    ...args: Parameters<Questions[Name]>
  ) => Promise<ReturnType<Questions[Name]>>;
};

const ANSWERS: Answers = {
  look: async (store, keys, indexes) => lookOnWire(await store.look(keys, indexes)),
  commit: async (store, read, records, id) => committedOnWire(await store.commit(read, records, id)),
  scan: (store, from, most) => first(store.scan(from, most), most),
  tip: (store) => store.tip(),
  close: async (store) => {
    await store.close();
    return null;
  },
};

async function answer({ name, args }: Question, opened: Opened): Promise<unknown> {
  const answering = ANSWERS[name] as (
    store: Store<'later'>,
    ...given: readonly unknown[]
  ) => Promise<unknown>;
  return answering(await opened(), ...args);
}

async function first(records: AsyncIterable<LedgerRecord>, most: number): Promise<readonly LedgerRecord[]> {
  const found: LedgerRecord[] = [];
  for await (const record of records) if (found.push(record) === most) break;
  return found;
}

async function send({ from, to }: Watching, opened: Opened): Promise<void> {
  const end = new AbortController();
  const say = (sent: SentRecord): void => to.postMessage(sent);
  to.on('close', () => end.abort());
  try {
    for await (const record of (await opened()).watch(from, end.signal)) say({ record });
  } catch (error) {
    if (!end.signal.aborted) say({ failure: toldErrorOf(error) });
  }
}
