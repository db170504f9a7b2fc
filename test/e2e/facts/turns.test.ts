/** When a turn ends: a message mid-turn, a Stop hook that sends the agent back, ESC. */
import { existsSync } from 'node:fs';

import { expect } from 'vitest';

import { type Payload, recorded, recordHooks } from '../client/record.ts';
import { type Answer, bash, say } from '../client/scenario.ts';
import type { Scratch } from '../client/scratch.ts';
import { clientHas, situation } from '../client/stage.ts';
import { until } from '../client/until.ts';

/** Without SubagentStop, which 2.0.77 fires for no subagent while it warms up. */
const eventsOf = (scratch: Scratch): readonly Payload[] =>
  recorded(scratch)
    .map(({ event }) => event)
    .filter(({ hook_event_name }) => hook_event_name !== 'SubagentStop');
const namesOf = (events: readonly Payload[]): readonly string[] =>
  events.map(({ hook_event_name }) => hook_event_name);

/** A command that announces its start, and ends when it is told to. */
const held: Answer = bash('touch started; until [ -e go ]; do sleep 0.05; done');

situation(
  'a message in mid-turn: no Stop before it; on newer clients a UserPromptSubmit with the prompt_id of the turn',
  async ({ stage }) => {
    const scratch = stage.scratch();
    recordHooks(scratch, [], { permissions: { allow: ['Bash'] } });
    const api = await stage.api({ main: [held, bash('echo on'), say('Done.')] });

    const client = stage.start(api, scratch, { prompt: ['[[main]] Go.'] });
    await until('the command runs', () => existsSync(scratch.path('started')));
    await client.say('And mind the tests.');
    scratch.write('go', '');
    const run = await client.done;

    const events = eventsOf(scratch);
    const names = namesOf(events).filter((name) => !name.startsWith('Session'));
    const batch = clientHas('unknown_events') ? ['PostToolBatch'] : [];
    const call = ['PreToolUse', 'PostToolUse', ...batch];
    const second = clientHas('second_prompt') ? ['UserPromptSubmit'] : [];
    expect(names).toEqual(['UserPromptSubmit', ...call, ...second, ...call, 'Stop']);
    const told = events.filter(({ hook_event_name }) => hook_event_name === 'UserPromptSubmit');
    expect(new Set(told.map((prompt) => prompt['prompt_id'])).size, 'one id for the whole turn').toBe(1);
    expect(JSON.stringify(api.at('main', 1).request.messages)).toContain('And mind the tests.');
    expect(run.result).toBe('Done.');
  },
);

situation(
  'a Stop hook that refuses sends the agent back without a prompt, and the next Stop says so',
  async ({ stage }) => {
    const scratch = stage.scratch();
    const refused = { event: 'Stop', says: '"stop_hook_active":false', exit: 2, stderr: 'tests fail, go on' };
    recordHooks(scratch, [refused], { permissions: { allow: ['Bash'] } });

    const { api } = await stage.play(
      scratch,
      { main: [bash('echo one'), say('Done.'), bash('echo two'), say('Done now.')] },
      { prompt: '[[main]] Go.' },
    );

    const events = eventsOf(scratch);
    expect(namesOf(events).filter((name) => /Prompt|PreTool|^Stop$/.test(name))).toEqual([
      ...['UserPromptSubmit', 'PreToolUse', 'Stop', 'PreToolUse', 'Stop'],
    ]);
    const stops = events.filter(({ hook_event_name }) => hook_event_name === 'Stop');
    expect(stops.map((stop) => stop['stop_hook_active'])).toEqual([false, true]);
    expect(api.at('main', 2).texts.join('\n')).toContain('tests fail, go on');
  },
);

situation(
  'ESC during a command fires no event at all; the next prompt has an id of its own',
  async ({ stage }) => {
    const scratch = stage.scratch();
    recordHooks(scratch, [], { permissions: { allow: ['Bash'] } });
    const api = await stage.api({ main: [held], again: [bash('echo on'), say('Done.')] });

    const client = stage.start(api, scratch, { prompt: ['[[main]] Go.'], open: true });
    await until('the command runs', () => existsSync(scratch.path('started')));
    await client.interrupt();
    await client.event(({ type }) => type === 'result');
    const before = namesOf(eventsOf(scratch));
    await client.say('[[again]] Go on.');
    await client.event(({ type, result }) => type === 'result' && result === 'Done.');
    client.close();
    await client.done;
    const after = eventsOf(scratch).slice(before.length);
    expect(before.at(-1), 'neither the end of the call nor of the turn is told').toBe('PreToolUse');
    expect(namesOf(after).slice(0, 2)).toEqual(['UserPromptSubmit', 'PreToolUse']);
    if (clientHas('session_in_commands'))
      expect(after[0]?.['prompt_id']).not.toBe(eventsOf(scratch)[before.length - 1]?.['prompt_id']);
  },
);
