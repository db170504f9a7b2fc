/** Supervisors of one agent, only one of which may write about it: one that was taken for dead has been replaced. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_BOUNDS, DEFAULT_LIMITS } from '../../../src/core/agent-limits.ts';
import {
  draftKey,
  type DraftState,
  type Ending,
  NO_USAGE,
  type WorktreeState,
} from '../../../src/core/drafts.ts';
import type { DraftEvent } from '../../../src/core/rules/drafting.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import { type RunMark, runMark } from '../../../src/core/run-mark.ts';
import type { ProcessMark } from '../../../src/core/types.ts';
import { agent, proc, World } from '../world.ts';

const person: Who = { id: 'me@host:tty', kind: 'person', parent: null, session: null, proc: null };
const dev = agent('dev');
const [starter, finder, first, second] = [proc(1), proc(2), proc(11), proc(12)];

const ENDING: Ending = {
  ...{ status: 'failed', reason: 'its supervisor died', exit_code: null, signal: null, last_output: '' },
  ...{ result: null, usage: NO_USAGE, worktree: null, needs: null, api_error: null, has_session: true },
};
const NEWS = { usage: NO_USAGE, last_output: 'x', doing: null, heard_wall_ms: 1 };
const made = (more: Partial<WorktreeState> = {}): WorktreeState => ({
  ...{ dir: '/r/w', branch: 'guard/w', base: 'abc', changed: null, commits: 0, kept: true },
  ...more,
});

function drafted(drafter: ProcessMark = starter) {
  const world = new World();
  const run = (event: object) => world.run({ type: 'draft', who: dev, ...event } as DraftEvent);
  world.run({
    ...{ type: 'draft', phase: 'begin', who: person, agent: dev, role: 'r', category: 'c', access: 'full' },
    ...{ task: 't', limits: DEFAULT_LIMITS, bounds: DEFAULT_BOUNDS, drafter },
  });
  const state = (): DraftState => world.states.get(draftKey(dev.id)) as unknown as DraftState;
  const begin = (supervisor: ProcessMark, starts: number, more: object = { is_own: true }) =>
    run({ phase: 'supervise', supervisor, starts, ...more });
  const next = () => run({ phase: 'next', starter });
  const say = () => {
    const said = { id: String(world.lsn), text: 'more' };
    const about = { id: dev.id, said, bounds: DEFAULT_BOUNDS, supervisor: starter };
    return world.run({ type: 'draft', phase: 'say', who: person, ...about });
  };
  return { world, run, state, begin, next, say };
}

/** Everything that a supervisor reports about its agent. */
const WORDS: Readonly<Record<string, (of: RunMark) => object>> = {
  setup: (of) => ({ phase: 'setup', worktree: made({ is_unfinished: true }), doing: 'setup', of }),
  run: (of) => ({ phase: 'run', client: proc(99), worktree: made(), of }),
  progress: (of) => ({ phase: 'progress', ...NEWS, of }),
  exit: (of) => ({ phase: 'exit', ...ENDING, may_go_on: 'at_once', of }),
};

describe('a supervisor whose agent has another one', () => {
  const replaced = () => {
    const at = drafted();
    at.begin(first, 1);
    at.run({ phase: 'setup', worktree: made({ is_unfinished: true }), doing: 'setup' });
    const of = runMark(at.state());
    at.run({ phase: 'take_over', supervisor: finder, of });
    return { ...at, of };
  };

  it.each(Object.keys(WORDS))(
    'is refused its %s while its worktree is being removed, queued, and made again',
    (name) => {
      const { of, run, state, begin, next, world } = replaced();
      const word = (): void => {
        const before = [world.records.length, state()];
        const told = run(WORDS[name]?.(of) ?? {});
        expect(told.refused).toMatchObject({ why: 'replaced', agent: dev.id, on_record: runMark(state()) });
        expect([world.records.length, state()]).toEqual(before);
      };
      word();
      run({ phase: 'requeue', starts: 1, of: runMark(state()) });
      expect(state().status).toBe('queued');
      word();
      next();
      word();
      begin(second, 2);
      word();
      run({ phase: 'setup', worktree: made({ is_unfinished: true }), doing: 'setup', of: runMark(state()) });
      word();
      run({ phase: 'run', client: proc(98), worktree: made(), of: runMark(state()) });
      word();
      expect(state()).toMatchObject({ status: 'running', supervisor: second, client: proc(98) });
    },
  );

  it('is refused after its agent was ended and goes on with what somebody said', () => {
    const { run, state, begin, say } = drafted();
    begin(first, 1);
    run({ phase: 'run', client: proc(99), worktree: null });
    const of = runMark(state());
    run({ phase: 'exit', ...ENDING, of });
    expect(run(WORDS['exit']?.(of) ?? {}).refused).toMatchObject({ why: 'ended' });
    say();
    for (const word of Object.values(WORDS)) expect(run(word(of)).refused).toMatchObject({ why: 'replaced' });
    expect(begin(first, 1).refused).toMatchObject({ why: 'ended' });
    expect(begin(second, 2).refused).toBeNull();
    for (const word of Object.values(WORDS)) expect(run(word(of)).refused).toMatchObject({ why: 'replaced' });
    expect(state()).toMatchObject({ status: 'starting', supervisor: second, dispatch: 2 });
  });

  it.each([
    ['machine', { machine: 'another' }],
    ['container', { pid_ns: 'another' }],
    ['boot', { boot: 'an earlier one' }],
    ['process', { start: '2' }],
  ])('is refused although its number is the same, on another %s', (_, differs) => {
    const { run, state, begin } = drafted();
    begin({ ...first, ...differs }, 1);
    for (const word of Object.values(WORDS))
      expect(run(word({ ...runMark(state()), supervisor: first })).refused?.why).toBe('replaced');
    const of = { ...runMark(state()), supervisor: first };
    expect(run({ phase: 'take_over', supervisor: finder, of }).refused?.why).toBe('replaced');
  });

  it('keeps its place where its starter says late whose process it is, or does not know', () => {
    const { state, begin, world } = drafted();
    begin(first, 1);
    const { length } = world.records;
    for (const supervisor of [second, null])
      expect(begin(supervisor as ProcessMark, 1, {}).refused).toBeNull();
    expect(state().supervisor).toEqual(first);
    expect(world.records).toHaveLength(length);
  });

  it('is not refused what it says of its next run, nor by a record of before there was a queue', () => {
    const { run, state, begin, world } = drafted();
    begin(first, 1);
    run({ phase: 'run', client: proc(99), worktree: null });
    run({ phase: 'exit', ...ENDING, status: 'completed', of: runMark(state()) });
    const old = { ...state(), status: 'running' as const, ended_wall_ms: null };
    world.states.set(draftKey(dev.id), { ...old, queued: undefined, supervisor: null } as never);
    const of = { supervisor: first, starts: null, dispatch: 1 };
    for (const name of ['run', 'progress', 'exit']) expect(run(WORDS[name]?.(of) ?? {}).refused).toBeNull();
  });
});

const ACTS = [
  ...['next', 'begin', 'told', 'setup', 'ready', 'run', 'progress', 'exit', 'retry'],
  ...['read', 'take', 'requeue', 'give up', 'say'],
] as const;

/** `who`: 0 is the supervisor started last, 1 the one before, … */
interface Act {
  readonly what: (typeof ACTS)[number];
  readonly who: number;
}

const one = (what: Act['what'], who = 0): Act => ({ what, who });

/** Any act by anyone; a hand-over of the agent, out of its setup or its work; or everything the previous one says. */
const STEPS: fc.Arbitrary<readonly Act[]> = fc.oneof(
  fc.record({ what: fc.constantFrom(...ACTS), who: fc.nat(2) }).map((act) => [act]),
  fc.constant(
    (['begin', 'setup', 'read', 'take', 'requeue', 'next', 'begin'] as const).map((what) => one(what)),
  ),
  fc.constant((['begin', 'run', 'read', 'give up', 'say', 'begin'] as const).map((what) => one(what))),
  fc.constant((['setup', 'ready', 'run', 'progress', 'exit'] as const).map((what) => one(what, 1))),
);

const RETRIED = { ...ENDING, api_error: { status: 529, kind: 'x', attempts: 1, is_transient: true } };

/** Plays a history; throws if two write about one agent, or if the only one may not. */
function play(history: readonly Act[]): number {
  const { run, state, begin, next, say, world } = drafted();
  const started = [{ mark: proc(100), starts: 1, run: null as DraftState | null }];
  /** The supervisor by the order of what was accepted; `null` if none has begun. */
  let owner: number | null = null;
  /** Counts changes of the supervisor and of the run. */
  let epoch = 0;
  let read = { state: state(), epoch };
  let refusals = 0;
  const change = (to: number | null): void => {
    owner = to;
    epoch += 1;
  };
  const start = (draft: DraftState | null): void => {
    change(null);
    const starts = draft?.queued?.starts ?? 0;
    started.push({ mark: proc(100 + started.length), starts, run: null });
  };
  for (const { what, who } of history) {
    const nth = started.length - 1 - (who % started.length);
    const speaker = started[nth];
    if (speaker === undefined) continue;
    const { length } = world.records;
    const speak = (word: object): DraftState | null | undefined => {
      if (speaker.run === null) return undefined;
      const { refused, draft, goes_on } = run({ ...word, of: runMark(speaker.run) });
      if (refused === null && owner !== nth) throw new Error(`${what} of ${nth} beside ${String(owner)}`);
      if (refused !== null && world.records.length > length) throw new Error('refused, and on record');
      if (refused !== null) refusals += 1;
      const may = what !== 'setup' && what !== 'ready' ? true : state().status === 'starting';
      if (refused !== null && owner === nth && may) throw new Error(`${what} of ${nth}: ${refused.why}`);
      return refused === null ? (goes_on ?? draft) : undefined;
    };
    const end = (ending: Ending): void => {
      const then = speak({ phase: 'exit', ...ending, may_go_on: 'at_once' });
      if (then == null) return;
      const goes_on = then.status === 'starting';
      speaker.run = goes_on ? then : null;
      change(goes_on ? nth : null);
    };
    const found = (event: object): boolean => {
      const told = run({ ...event, of: runMark(read.state) });
      if (told.refused === null && read.epoch !== epoch) throw new Error(`${what} by what was read before`);
      return told.refused === null;
    };
    if (what === 'next') {
      const { draft } = next();
      if (draft !== null) start(draft);
    } else if (what === 'say') {
      const { goes_on } = say();
      if (goes_on?.status === 'starting') start(goes_on);
      else if (goes_on !== undefined) change(null);
    } else if (what === 'told' || what === 'begin') {
      const before = state().supervisor;
      const { refused, draft } = begin(
        speaker.mark,
        speaker.starts,
        what === 'begin' ? { is_own: true } : {},
      );
      if (refused === null && nth !== started.length - 1) throw new Error(`${nth} begins late`);
      // The supervisor's process was not known before.
      if (before?.pid !== state().supervisor?.pid) epoch += 1;
      if (refused === null && what === 'begin') {
        speaker.run = draft;
        owner = nth;
      }
    } else if (what === 'setup')
      speak({ phase: 'setup', worktree: made({ is_unfinished: true }), doing: 'setup' });
    else if (what === 'ready') speak({ phase: 'setup', worktree: made(), doing: null });
    else if (what === 'run') speak({ phase: 'run', client: proc(200 + nth), worktree: made() });
    else if (what === 'progress') speak({ phase: 'progress', ...NEWS });
    else if (what === 'exit') end(ENDING);
    else if (what === 'retry') end(RETRIED);
    else if (what === 'read') read = { state: state(), epoch };
    else if (what === 'take') {
      if (found({ phase: 'take_over', supervisor: finder })) {
        change(null);
        read = { state: state(), epoch };
      }
    } else if (what === 'requeue') {
      if (found({ phase: 'requeue', starts: read.state.queued?.starts ?? 0 })) change(null);
    } else if (found({ phase: 'exit', ...ENDING, may_go_on: 'queued' })) change(null);
  }
  return refusals;
}

describe('two supervisors of one agent', () => {
  it('never both speak for it, and the one that has it is never refused, in whatever order they do', () => {
    let refusals = 0;
    fc.assert(
      fc.property(fc.array(STEPS, { minLength: 1, maxLength: 16 }), (history) => {
        refusals += play(history.flat());
      }),
      { numRuns: 300 },
    );
    // Histories without late supervisors would prove nothing.
    expect(refusals).toBeGreaterThan(300);
  });
});
