/* eslint-disable @typescript-eslint/require-await -- an async generator hands over by yield */
import { setTimeout as sleep } from 'node:timers/promises';

import { type Denial, denialOf, isDenied } from './denial.ts';
import type { ToolResult } from './messages.ts';
import { type Answer, both, read, say, type Seen } from './scenario.ts';
import {
  filesIn,
  isWait,
  type Job,
  lockAll,
  lockAnswerOf,
  lockingIn,
  pathsIn,
  releaseAll,
  releaseIn,
  stepOf,
  waitInstead,
} from './steps.ts';

/** An agent's script: it answers, and sees the result. */
export type Doing<T = void> = AsyncGenerator<Answer, T, Seen>;

/** What the agent did, and what it was told. */
export interface Book {
  /** The number of tool calls. */
  calls: number;
  readonly denials: Denial[];
  /** Answers to lock commands and lock tools. */
  readonly lock_answers: string[];
  /** The client's own refusals of writes. */
  readonly refused: string[];
  /** Steps that cannot be carried out as worded. */
  readonly unclear: string[];
  /** Writes that it skipped after being told that it could. */
  readonly left: string[];
  /** What it released as the victim of a deadlock. */
  readonly let_go: string[];
  /** Waits that ended without the lock and without advice. */
  waited_in_vain: number;
  /** The last thing it was told before it gave up; `null` if it never did. */
  gave_up: string | null;
}

export interface Habits {
  /** A victim of a deadlock that waits again instead of releasing. */
  readonly stubborn?: boolean;
  /** How often it waits again for the same lock. */
  readonly patience?: number;
}

export interface Agent {
  readonly book: Book;
  /** The error types it met, in order. */
  denied(): readonly string[];
  /** The turn for a scenario. */
  readonly turn: (seen: Seen) => Promise<Answer>;
}

/** The answer of clients before 2.1.330 in place of an unchanged file; a denial then names the way out. */
const UNCHANGED = /unchanged since/i;
const WHOLE = { offset: 1, limit: 2000 };
/** More answers than this mean that the agent is going in circles. */
const ANSWERS_MAX = 80;
/** How often it repeats a refused write. */
const TRIES_MAX = 12;

/** A model that literally follows instructions step by step: guard's, or else those of `script`. */
export function obedient(script: (hands: Hands) => Doing, habits: Habits = {}): Agent {
  const book: Book = {
    ...{ calls: 0, waited_in_vain: 0, gave_up: null },
    ...{ denials: [], lock_answers: [], refused: [], unclear: [], left: [], let_go: [] },
  };
  const hands = new Hands(book, habits);
  const answers = new Map<number, Promise<Answer>>();
  let course: Doing | null = null;
  const answer = async (seen: Seen): Promise<Answer> => {
    if (answers.size > ANSWERS_MAX)
      throw new Error(`${seen.marker} runs in circles: ${JSON.stringify(seen.results)}`);
    try {
      if (course !== null) return done(await course.next(seen));
      hands.started = seen.texts;
      hands.whole = JSON.stringify(seen.request);
      course = script(hands);
      // A generator's first `next` takes no value.
      return done(await course.next());
    } catch (error) {
      if (!(error instanceof OutOfPatience)) throw error;
      book.gave_up = error.message;
      return say('I give up.');
    }
  };
  const done = (next: IteratorResult<Answer, void>): Answer => {
    const given = next.done === true ? say('Done.') : next.value;
    book.calls += given.tools?.length ?? 0;
    return given;
  };
  return {
    book,
    denied: () => book.denials.map(({ error_type }) => error_type),
    // The client may send the same request twice.
    turn: (seen) => {
      const known = answers.get(seen.step) ?? answer(seen);
      answers.set(seen.step, known);
      return known;
    },
  };
}

class OutOfPatience extends Error {}

/** The actions available to an agent's script. */
export class Hands {
  /** The texts it received before its first answer. */
  started: readonly string[] = [];
  /** The same texts with everything else that the client said. */
  whole = '';
  readonly #book: Book;
  readonly #habits: Habits;
  readonly #texts = new Map<string, string>();
  /** Files locked so far while following the current round of refusals. */
  readonly #locked = new Set<string>();
  #locking: string | null = null;

  constructor(book: Book, habits: Habits) {
    this.#book = book;
    this.#habits = habits;
  }

  /** Gives one answer of any kind. */
  async *call(answer: Answer): Doing<Seen> {
    return yield answer;
  }

  /** Locks all of them in one call, as the texts at its start instruct; false if they don't. */
  async *lock(...files: readonly string[]): Doing<boolean> {
    this.#locking ??= lockingIn(this.started);
    if (this.#locking === null) return false;
    yield* this.#acquire(lockAll(this.#locking, files));
    return true;
  }

  /** One batch of reads. */
  async *read(...files: readonly string[]): Doing {
    const unchanged = this.#know(files, yield both(...files.map((file) => read(file))));
    if (unchanged.length > 0)
      this.#know(unchanged, yield both(...unchanged.map((file) => read(file, WHOLE))));
  }

  textOf(file: string): string {
    return this.#texts.get(file) ?? '';
  }

  /** Runs this lock command, or calls this lock tool, and follows the answers until it has the locks. */
  async *take(asked: Answer): Doing {
    yield* this.#acquire(asked);
  }

  /** Makes all writes in one message, and does what each refusal says until all have landed. */
  async *write(...jobs: readonly Job[]): Doing {
    let open = jobs;
    for (let tries = 0; open.length > 0; tries++) {
      if (tries > TRIES_MAX)
        throw new Error(`refused ${tries} times: ${open.map(({ file }) => file).join(', ')}`);
      const { results } = yield both(...open.map(({ file, write }) => write(this.textOf(file), file)));
      const refused = results.filter(({ is_error }) => is_error);
      const left = open.filter((_, index) => results[index]?.is_error === true);
      open = left.map((job, index) => moved(job, refused[index]));
      const given_up = yield* this.#obey(refused, left);
      open = open.filter(({ file }) => !given_up.has(file));
    }
  }

  /** Releases locks that it took. */
  async *release(...files: readonly string[]): Doing {
    if (this.#locking !== null) yield releaseAll(this.#locking, files);
  }

  /** Follows each step of several refusals once; returns the files whose writes it skips. */
  async *#obey(refused: readonly ToolResult[], jobs: readonly Job[]): Doing<ReadonlySet<string>> {
    const own = jobs.filter((_, index) => !isDenied(refused[index])).map(({ file }) => file);
    if (own.length > 0) {
      this.#book.refused.push(...refused.filter((one) => !isDenied(one)).map(({ text }) => text));
      yield* this.read(...own);
    }
    const denials = refused.filter(isDenied).map(denialOf);
    this.#book.denials.push(...denials);
    this.#locked.clear();
    for (const step of new Set(denials.flatMap(({ details }) => details.next ?? [])))
      yield* this.#follow(step);
    const left = denials.filter(({ details }) => details.next?.some((step) => stepOf(step).kind === 'leave'));
    this.#book.left.push(...left.map(({ details }) => details.path));
    return new Set(left.map(({ details }) => details.path));
  }

  async *#follow(text: string): Doing {
    const step = stepOf(text);
    if (step.kind === 'leave') return;
    if (step.kind === 'read') yield* this.read(...step.files);
    else if (step.kind === 'pause') await sleep(100);
    else if (step.kind === 'unclear') this.#book.unclear.push(text);
    else if (!step.locks) yield step.answer;
    // Another refusal of the same message may have locked these files already.
    else if (!filesIn(step.answer).every((file) => this.#locked.has(file))) yield* this.#acquire(step.answer);
  }

  /** Tries, waits if it must, releases if it is told to, and rereads what changed. */
  async *#acquire(asked: Answer): Doing {
    this.#locking ??= lockingIn([JSON.stringify(asked)]);
    let ask = asked;
    for (let waits = 0; ; waits++) {
      const [result] = (yield ask).results;
      if (result === undefined) throw new Error('no answer to a lock command');
      this.#book.lock_answers.push(result.text);
      const answer = lockAnswerOf(result);
      for (const file of answer.locked) this.#locked.add(file);
      if (answer.changed.length > 0) yield* this.read(...answer.changed.map((file) => this.#known(file)));
      if (answer.all) return;
      if (answer.release !== null && this.#habits.stubborn !== true) {
        this.#book.let_go.push(answer.release);
        yield releaseIn(answer.release, (this.#locking ?? '').replace(/lock_try$/, ''));
      } else if (isWait(ask) && !answer.victim) this.#book.waited_in_vain += 1;
      if (waits >= (this.#habits.patience ?? 4)) throw new OutOfPatience(result.text);
      ask = waitInstead(asked);
    }
  }

  /** The file by the name under which it was read, however the lock command spelled it. */
  #known(file: string): string {
    return [...this.#texts.keys()].find((known) => known === file || known.endsWith(`/${file}`)) ?? file;
  }

  /** Stores the texts that were read; returns the files the client did not show because it had shown them before. */
  #know(files: readonly string[], { results }: Seen): readonly string[] {
    for (const [index, file] of files.entries()) {
      const result = results[index];
      if (result !== undefined && !UNCHANGED.test(result.text)) this.#texts.set(file, textOf(result));
    }
    return files.filter((_, index) => UNCHANGED.test(results[index]?.text ?? ''));
  }
}

/** Retargets a job to where the refusal says that the file is now. */
function moved(job: Job, refusal: ToolResult | undefined): Job {
  if (!isDenied(refusal)) return job;
  const to = denialOf(refusal).details['moved_to'];
  if (typeof to !== 'string') return job;
  const [file = job.file] = pathsIn(to);
  return { ...job, file };
}

/** Writes one file after another without asking first, follows instructions, and releases each lock. */
export const naive = (jobs: readonly Job[], habits: Habits = {}): Agent =>
  obedient(async function* (hands) {
    for (const job of jobs) {
      yield* hands.write(job);
      yield* hands.release(job.file);
    }
  }, habits);

/** The text of a file from what Read returns to the model: `<number>\t<line>`. */
export function textOf(result: ToolResult | undefined): string {
  if (result === undefined || result.is_error || result.text.startsWith('<system-reminder>')) return '';
  return result.text
    .replace(/\n\n<system-reminder>[\s\S]*$/, '')
    .split('\n')
    .map((line) => line.replace(/^\d+\t/, ''))
    .join('\n');
}
