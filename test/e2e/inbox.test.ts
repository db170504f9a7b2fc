/** Mail between agents: counted and delivered at a prompt, urgent mail at the next event, and nothing twice. */
import { expect } from 'vitest';

import { makeGate } from './client/gate.ts';
import { failedHooks, guarded } from './client/guarded.ts';
import { obedient } from './client/obedient.ts';
import { bash, edit, read, say, type Seen } from './client/scenario.ts';
import type { Scratch } from './client/scratch.ts';
import { situation } from './client/stage.ts';

const heard = ({ texts, results }: Seen): string => [...texts, ...results.map(({ text }) => text)].join('\n');

interface Inbox {
  readonly messages: readonly { readonly body: string; readonly read: boolean }[];
}

/** Whether `guard message inbox --json` shows each message as read; looking from outside does not mark any. */
function readOf(text: string): Readonly<Record<string, boolean>> {
  const { messages } = JSON.parse(text.slice(text.indexOf('{'))) as Inbox;
  return Object.fromEntries(messages.map(({ body, read: is_read }) => [body, is_read]));
}

function send(scratch: Scratch, to: string, body: string, importance = 'normal'): void {
  const words = ['message', 'send', body, '--to', to, '--importance', importance, '--agent', 'reviewer'];
  const told = scratch.guard(...words);
  expect(told.code, told.stderr).toBe(0);
}

situation(
  'messages that came between two turns stand in the next prompt; an urgent one comes with a denied write; both count as read',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'x.txt': 'one\n' }, { on_path: true });
    const x = scratch.path('x.txt');
    const [at_work, sent] = [makeGate(), makeGate()];
    const seen: Record<string, string> = {};
    const first = obedient(async function* (hands) {
      yield* hands.call(read(x));
    });
    const second = obedient(async function* (hands) {
      seen['prompt'] = hands.started.join('\n');
      at_work.open();
      await sent.opened;
      seen['denied'] = heard(yield* hands.call(edit(x, 'one', 'two')));
      const inbox = yield* hands.call(bash('guard message inbox --json'));
      seen['inbox'] = inbox.results[0]?.text ?? '';
      seen['after'] = heard(yield* hands.call(read(x))) + inbox.texts.join('\n');
      yield* hands.call(say('Done.'));
    });
    const api = await stage.api({ first: first.turn, second: second.turn });

    const client = stage.start(api, scratch, { prompt: ['[[first]] Look at x.'], open: true });
    const to = `claude-${await client.session()}`;
    await client.event(({ type }) => type === 'result');
    for (const body of ['mind the tests', 'x is mine tomorrow', 'lunch at noon']) send(scratch, to, body);
    await client.say('[[second]] Change x.');
    await at_work.opened;
    send(scratch, to, 'stop, x is broken', 'urgent');
    sent.open();
    await client.event(
      ({ type, result }) => type === 'result' && result === 'Done.' && seen['after'] !== undefined,
    );
    client.close();
    const run = await client.done;

    expect(seen['prompt']).toMatch(/3 (?:unread )?messages/);
    for (const body of ['mind the tests', 'x is mine tomorrow', 'lunch at noon'])
      expect(seen['prompt']).toContain(body);
    expect(seen['denied']).toContain('NOT_LOCKED');
    expect(seen['denied'], 'urgent, with the refusal').toContain('stop, x is broken');
    expect(readOf(seen['inbox'] ?? '')).toEqual({
      'mind the tests': true,
      'x is mine tomorrow': true,
      'lunch at noon': true,
      'stop, x is broken': true,
    });
    expect(seen['after'], 'nobody is told twice').not.toMatch(/mind the tests|stop, x is broken/);
    expect(failedHooks(run)).toEqual([]);
  },
);
