/** Asks one question at a time. While an answer is awaited, only the newest of the questions that follow is kept. */
export type Query = Readonly<Record<string, string | number | undefined>>;

export interface Questioner {
  ask(query: Query): void;
  end(): void;
}

/** A slider in motion asks for few of the moments that it passes. */
const SETTLE_MS = 30;
/** The same question again: something was recorded meanwhile. */
const REST_MS = 400;
const AGAIN_MS = 2_000;
const TRIES = 4;

/** A question without an answer is asked again a few times, unless another one has followed. */
export function openQuestioner<A>(get: (query: Query) => Promise<A>, heard: (answer: A) => void): Questioner {
  const state = { next: null as Query | null, last: '', tries: 0, isAway: false, isOver: false };
  const due: { timer: ReturnType<typeof setTimeout> | undefined; ms: number } = { timer: undefined, ms: 0 };
  const go = async (query: Query): Promise<void> => {
    Object.assign(state, { next: null, last: JSON.stringify(query), isAway: true });
    const isHeard = await get(query).then(
      (answer) => {
        if (!state.isOver) heard(answer);
        return true;
      },
      () => false,
    );
    state.isAway = false;
    state.tries = isHeard ? 0 : state.tries + 1;
    if (state.next !== null) later(state.next);
    else if (!isHeard && state.tries < TRIES) later(query, AGAIN_MS);
  };
  const later = (query: Query, ms = JSON.stringify(query) === state.last ? REST_MS : SETTLE_MS): void => {
    state.next = query;
    if (state.isAway || state.isOver || (due.timer !== undefined && due.ms <= ms)) return;
    clearTimeout(due.timer);
    due.ms = ms;
    due.timer = setTimeout(() => {
      due.timer = undefined;
      if (state.next !== null) void go(state.next);
    }, ms);
  };
  return {
    ask(query) {
      state.tries = 0;
      later(query);
    },
    end() {
      state.isOver = true;
      clearTimeout(due.timer);
    },
  };
}
