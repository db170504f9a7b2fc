/** A person presses ESC. The client reports nothing: guard sees only the next prompt, or silence. */
import { existsSync } from 'node:fs';

import { expect } from 'vitest';

import { failedHooks, guarded, heldUp, logOf, successionOf } from './client/guarded.ts';
import { type Agent, obedient } from './client/obedient.ts';
import type { RunningClient } from './client/run.ts';
import { edit, read, say, type Scenario } from './client/scenario.ts';
import type { Scratch } from './client/scratch.ts';
import { situation, type Stage } from './client/stage.ts';
import type { Api } from './client/api.ts';
import { replace } from './client/steps.ts';
import { until } from './client/until.ts';

interface Interrupted {
  readonly scratch: Scratch;
  readonly api: Api;
  readonly client: RunningClient;
  readonly holder: Agent;
}

/** A session that holds x.txt and was interrupted during a command; it stays open. */
async function interrupted(stage: Stage, more: (scratch: Scratch) => Scenario): Promise<Interrupted> {
  const scratch = guarded(stage, { 'x.txt': 'one\ntwo\n' }, { on_path: true, allow: ['Bash'] });
  const x = scratch.path('x.txt');
  const holder = obedient(async function* (hands) {
    yield* hands.lock(x);
    yield* hands.read(x);
    yield* hands.write(replace(x, 'one', 'ONE'));
    yield* hands.call(heldUp('a'));
  });
  const api = await stage.api({ holder: holder.turn, ...more(scratch) });
  const client = stage.start(api, scratch, { prompt: ['[[holder]] Change x.'], open: true });
  await until('the command runs', () => existsSync(scratch.path('a.started')));
  await client.interrupt();
  await client.event(({ type }) => type === 'result');
  return { scratch, api, client, holder };
}

situation('ESC, and the person types on: the turn goes on with its locks', async ({ stage }) => {
  const next: string[] = [];
  const esc: Interrupted = await interrupted(stage, (scratch) => ({
    again: ({ step }) => {
      if (step > 0) return say('Changed.');
      next.push(scratch.guard('lock', 'try', 'x.txt', '--agent', 'somebody').stdout);
      return edit(scratch.path('x.txt'), 'two', 'TWO');
    },
  }));
  await esc.client.say('[[again]] Change the second line, too.');
  await esc.client.event(({ type, result }) => type === 'result' && result === 'Changed.');
  esc.client.close();
  const run = await esc.client.done;

  expect(next[0]).toContain(`held by claude-${run.session}`);
  expect(successionOf(esc.scratch, 'x.txt')).toEqual([`claude-${run.session}`]);
  expect(esc.scratch.read('x.txt')).toBe('ONE\nTWO\n');
  expect(logOf(esc.scratch, '--type', 'write.rejected')).toEqual([]);
  expect(failedHooks(run)).toEqual([]);
});

/** The call may last two minutes and counts for one more; three minutes of silence follow. */
const YIELDS_MS = 7 * 60_000;

situation(
  'ESC, and nobody types: who asks for the file is told when it will really be free, not the end of its lease',
  async ({ stage }) => {
    const esc = await interrupted(stage, (scratch) => ({
      next: [read(scratch.path('x.txt')), edit(scratch.path('x.txt'), 'two', 'TWO'), say('I leave it.')],
    }));
    await stage.start(esc.api, esc.scratch, { prompt: '[[next]] Change x.' }).done;
    esc.client.close();
    await esc.client.done;
    const result = esc.api.results('next')[1];
    expect(result?.text).toContain('LOCKED_BY_OTHER');
    const [, expires_at = ''] = /"expires_at":"([^"]+)"/.exec(result?.text ?? '') ?? [];
    expect(Date.parse(expires_at) - Date.now()).toBeLessThan(YIELDS_MS);
  },
);
