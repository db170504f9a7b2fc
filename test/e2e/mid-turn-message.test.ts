/** A person types while the agent works: the turn continues, and so do its locks. */
import { existsSync } from 'node:fs';

import { expect } from 'vitest';

import { makeGate } from './client/gate.ts';
import { failedHooks, guarded, heldUp, logOf, successionOf } from './client/guarded.ts';
import { obedient } from './client/obedient.ts';
import { bash } from './client/scenario.ts';
import { clientHas, situationWith } from './client/stage.ts';
import { replace } from './client/steps.ts';
import { until } from './client/until.ts';

const FILES = { 'x.txt': 'one\ntwo\n', 'y.txt': 'one\ntwo\n' };

situationWith('hook_events')(
  'a message in mid-turn takes neither locks nor knowledge from the agent at work, and the next one waits for its end',
  async ({ stage }) => {
    const scratch = guarded(stage, FILES, { on_path: true, allow: ['Bash'] });
    const [x, y] = [scratch.path('x.txt'), scratch.path('y.txt')];
    const [taken_in, tried] = [makeGate(), makeGate()];
    const working = obedient(async function* (hands) {
      yield* hands.lock(x, y);
      yield* hands.read(x, y);
      yield* hands.write(replace(x, 'one', 'ONE'));
      yield* hands.call(heldUp('a'));
      taken_in.open();
      await tried.opened;
      yield* hands.write(replace(x, 'two', 'TWO'), replace(y, 'one', 'ONE'));
    });
    let at_once = '';
    const next = obedient(async function* (hands) {
      const { results } = yield* hands.call(bash(`guard lock try ${y}`));
      at_once = results[0]?.text ?? '';
      tried.open();
      yield* hands.take(bash(`guard lock wait ${y} --timeout 60s`));
      yield* hands.read(y);
      yield* hands.write(replace(y, 'two', 'TWO'));
    });
    const api = await stage.api({ working: working.turn, next: next.turn });

    const first = stage.start(api, scratch, { prompt: ['[[working]] Change both.'] });
    await until('the command runs', () => existsSync(scratch.path('a.started')));
    await first.say('And mind the tests.');
    scratch.write('a.go', '');
    await taken_in.opened;
    const second = stage.start(api, scratch, { prompt: '[[next]] Change y.' });
    const [a, b] = await Promise.all([first.done, second.done]);

    const prompts = a.hooks.filter(({ hook_event }) => hook_event === 'UserPromptSubmit');
    expect(prompts, 'the situation').toHaveLength(clientHas('second_prompt') ? 2 : 1);
    expect(JSON.stringify(api.at('working', 4).request.messages)).toContain('And mind the tests.');
    expect(at_once).toContain(`held by claude-${a.session}`);
    expect(working.denied()).toEqual([]);
    expect(next.denied()).toEqual([]);
    expect(successionOf(scratch, 'x.txt')).toEqual([`claude-${a.session}`]);
    expect(successionOf(scratch, 'y.txt')).toEqual([a, b].map(({ session }) => `claude-${session}`));
    expect(logOf(scratch, '--type', 'revoke')).toEqual([]);
    expect([scratch.read('x.txt'), scratch.read('y.txt')]).toEqual(['ONE\nTWO\n', 'ONE\nTWO\n']);
    expect([a, b].flatMap(failedHooks)).toEqual([]);
  },
);
