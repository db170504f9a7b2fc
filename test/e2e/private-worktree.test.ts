/** A worktree that an agent made for itself: no other agent writes there, so it needs no locks there. */
import { expect } from 'vitest';

import { failedHooks, guarded, logOf } from './client/guarded.ts';
import { type Agent, type Hands, obedient } from './client/obedient.ts';
import { delegate } from './client/scenario.ts';
import type { Scratch } from './client/scratch.ts';
import { situation, situationWith, type Stage } from './client/stage.ts';
import { replace } from './client/steps.ts';

/** Uncommitted settings do not reach a worktree. */
function committed(stage: Stage): Scratch {
  const scratch = guarded(stage, { 'a.txt': 'one\n', 'b.txt': 'one\n' }, { on_path: true, allow: ['Bash'] });
  scratch.git('add', '-A');
  scratch.git('commit', '-q', '-m', 'Guard it');
  return scratch;
}

/** Without asking, changes both files of the directory that the client says it works in. */
const changes = (found: string[]): Agent =>
  obedient(async function* (hands: Hands) {
    const [, dir = ''] = /[Ww]orking directory: ([^\s\\]+)/.exec(hands.whole) ?? [];
    found.push(dir);
    yield* hands.read(`${dir}/a.txt`, `${dir}/b.txt`);
    yield* hands.write(replace(`${dir}/a.txt`, 'one', 'ONE'), replace(`${dir}/b.txt`, 'one', 'ONE'));
  });

/** Each file is locked by its own write. */
const lockedByWrites = (scratch: Scratch): readonly unknown[] =>
  logOf(scratch, '--type', 'hold').map(({ auto }) => auto);

situation('a session in a worktree of its own writes without a lock', async ({ stage }) => {
  const scratch = committed(stage);
  const found: string[] = [];
  const agent = changes(found);
  const { run } = await stage.play(
    scratch,
    { main: agent.turn },
    { prompt: '[[main]] Change both.', args: ['--worktree', 'own'] },
  );
  expect(found[0], 'the situation').toBe(scratch.path('.claude/worktrees/own'));
  expect(agent.denied()).toEqual([]);
  expect(agent.book.calls).toBe(4);
  expect(lockedByWrites(scratch)).toEqual([true, true]);
  expect(scratch.read('a.txt'), 'the main checkout').toBe('one\n');
  expect(failedHooks(run)).toEqual([]);
});

situationWith('subagent_start')(
  'a subagent in a worktree of its own writes without a lock',
  async ({ stage }) => {
    const scratch = committed(stage);
    const found: string[] = [];
    const agent = changes(found);
    const main = obedient(async function* (hands) {
      yield* hands.call(delegate('child', { isolation: 'worktree' }));
    });
    const { run } = await stage.play(
      scratch,
      { main: main.turn, child: agent.turn },
      { prompt: '[[main]] Have both changed.', mode: 'default' },
    );
    expect(found[0], 'the situation').toContain(scratch.path('.claude/worktrees/agent-'));
    expect(agent.denied()).toEqual([]);
    expect(agent.book.calls).toBe(4);
    expect(lockedByWrites(scratch)).toEqual([true, true]);
    expect(scratch.read('a.txt'), 'the main checkout').toBe('one\n');
    expect(failedHooks(run)).toEqual([]);
  },
);
