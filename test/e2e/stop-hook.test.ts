/** The end of a turn: a user's Stop hook may take it back, and a waiter need not wait for the session's end. */
import { expect } from 'vitest';

import { makeGate } from './client/gate.ts';
import { failedHooks, guarded, logOf, sendsBackOnce, successionOf, waits } from './client/guarded.ts';
import type { LogRecord } from './client/guarded.ts';
import { obedient } from './client/obedient.ts';
import { bash, say } from './client/scenario.ts';
import { situation, situationWith, type Stage } from './client/stage.ts';
import { replace } from './client/steps.ts';

const FILES = { 'x.txt': 'one\ntwo\n', 'y.txt': 'one\ntwo\n' };
const ids = (...runs: readonly { readonly session: string }[]): readonly string[] =>
  runs.map(({ session }) => `claude-${session}`);

situationWith('hook_events')(
  'a Stop hook that sends the agent back to work finds its locks where they were; who waits gets them after the real end',
  async ({ stage }) => {
    const scratch = guarded(stage, FILES, { on_path: true, hooks: sendsBackOnce() });
    const [x, y] = [scratch.path('x.txt'), scratch.path('y.txt')];
    const [locked, sent_back, tried] = [makeGate(), makeGate(), makeGate()];
    const working = obedient(async function* (hands) {
      yield* hands.lock(x, y);
      yield* hands.read(x, y);
      yield* hands.write(replace(x, 'one', 'ONE'));
      locked.open();
      const { texts } = yield* hands.call(say('Done.'));
      expect(texts.join('\n'), 'the situation').toContain('The tests fail, go on.');
      sent_back.open();
      await tried.opened;
      yield* hands.write(replace(x, 'two', 'TWO'), replace(y, 'one', 'ONE'));
    });
    let at_once = '';
    const next = obedient(async function* (hands) {
      await sent_back.opened;
      const { results } = yield* hands.call(bash(`guard lock try ${x}`));
      at_once = results[0]?.text ?? '';
      tried.open();
      yield* hands.take(bash(`guard lock wait ${x} --timeout 60s`));
      yield* hands.read(x);
      yield* hands.write(replace(x, 'ONE', 'One'));
    });
    const api = await stage.api({ working: working.turn, next: next.turn });

    const first = stage.start(api, scratch, { prompt: '[[working]] Change both.' });
    await locked.opened;
    const second = stage.start(api, scratch, { prompt: '[[next]] Change x.' });
    const [a, b] = await Promise.all([first.done, second.done]);

    expect(
      a.hooks.filter(({ hook_name }) => hook_name === 'Stop').map(({ exit_code }) => exit_code),
    ).toContain(2);
    expect(at_once).toContain(`held by claude-${a.session}`);
    expect(working.denied()).toEqual([]);
    expect(next.denied()).toEqual([]);
    expect(successionOf(scratch, 'x.txt')).toEqual(ids(a, b));
    expect(successionOf(scratch, 'y.txt')).toEqual(ids(a));
    expect([scratch.read('x.txt'), scratch.read('y.txt')]).toEqual(['One\nTWO\n', 'ONE\ntwo\n']);
    expect([a, b].flatMap(failedHooks)).toEqual([]);
  },
);

/** Milliseconds from the Stop of the first session, which stays open, until the second one got the file. */
async function handedOver(stage: Stage, hooks: object): Promise<number> {
  const scratch = guarded(stage, FILES, { on_path: true, hooks });
  const x = scratch.path('x.txt');
  const [locked, waiting] = [makeGate(), makeGate()];
  const holder = obedient(async function* (hands) {
    yield* hands.lock(x);
    yield* hands.read(x);
    yield* hands.write(replace(x, 'one', 'ONE'));
    locked.open();
    await waiting.opened;
  });
  const waiter = obedient(async function* (hands) {
    yield* hands.take(bash(`guard lock wait ${x} --timeout 60s`));
    yield* hands.read(x);
    yield* hands.write(replace(x, 'two', 'TWO'));
  });
  const api = await stage.api({ holder: holder.turn, waiter: waiter.turn });
  const first = stage.start(api, scratch, { prompt: ['[[holder]] Change x.'], open: true });
  await locked.opened;
  const second = stage.start(api, scratch, { prompt: '[[waiter]] Change x.' });
  await waits(scratch, await second.session(), 'x.txt');
  waiting.open();
  await first.event(({ type }) => type === 'result');
  const b = await second.done;
  first.close();
  const a = await first.done;

  expect([...holder.denied(), ...waiter.denied()]).toEqual([]);
  expect(waiter.book.waited_in_vain).toBe(0);
  expect(successionOf(scratch, 'x.txt')).toEqual(ids(a, b));
  expect(logOf(scratch, '--type', 'revoke')).toEqual([]);
  expect(scratch.read('x.txt')).toBe('ONE\nTWO\n');
  const of = (type: string, { session }: { readonly session: string }): readonly LogRecord[] =>
    logOf(scratch, '--type', type).filter(({ agent }) => agent === `claude-${session}`);
  const [grant] = of('hold', b);
  const end = of('turn', a).findLast(({ lsn }) => lsn < (grant?.lsn ?? 0));
  return Date.parse(String(grant?.['ts'])) - Date.parse(String(end?.['ts']));
}

/** Far less than the three minutes of silence after which a lock would be free anyway. */
const SOON_MS = 25_000;

situation(
  'an open session that says nothing more: whoever waits gets its locks three seconds after Stop',
  async ({ stage }) => {
    const took_ms = await handedOver(stage, {});
    expect(took_ms, 'a Stop is not yet the end of a turn').toBeGreaterThan(2_500);
    expect(took_ms).toBeLessThan(SOON_MS);
  },
);

situation(
  'where a Stop hook of the user may still speak, at most its timeout after Stop',
  async ({ stage }) => {
    const quiet = { Stop: [{ hooks: [{ type: 'command', command: 'true', timeout: 5 }] }] };
    const took_ms = await handedOver(stage, quiet);
    expect(took_ms, 'a Stop is not yet the end of a turn').toBeGreaterThan(2_500);
    expect(took_ms).toBeLessThan(SOON_MS);
  },
);
