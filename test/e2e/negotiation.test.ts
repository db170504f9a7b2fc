/** Two clients negotiate a file: request, hint at the holder's next step, answer, and the requester's write lands. */
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'vitest';

import { denialOf, howToAsk, lockCommandOf } from './client/denial.ts';
import { makeGate } from './client/gate.ts';
import { failedHooks, guarded, logOf, userSettings } from './client/guarded.ts';
import { type Answer, bash, edit, read, say, type Seen, use } from './client/scenario.ts';
import type { Scratch } from './client/scratch.ts';
import { situation } from './client/stage.ts';

const FILES = { 'src/x.txt': 'one\n', 'src/y.txt': 'one\n' };

/** Waits until the ledger contains this many messages. */
async function messages(scratch: Scratch, count: number): Promise<void> {
  for (const until = Date.now() + 30_000; Date.now() < until;) {
    if (logOf(scratch, '--type', 'message').length >= count) return;
    await sleep(50);
  }
  throw new Error(`fewer than ${count} messages`);
}

/** What a hook reported about other agents since the last answer. */
const mailIn = ({ texts, results }: Seen): string =>
  [...texts, ...results.map(({ text }) => text)].find((text) => text.includes('asks you')) ?? '';

/** The call that a text spells as `mcp__server__tool {json}`. */
function calledIn(text: string, tool: string): Answer {
  const [, name = '', input = ''] = new RegExp(`(mcp__\\w+__${tool}) (\\{[^}]*\\})`).exec(text) ?? [];
  if (name === '') throw new Error(`no ${tool} in ${text}`);
  return use(name, JSON.parse(input) as object);
}

situation(
  'through the MCP tools, waiting for the answer: the call that each text names is the one that works',
  async ({ stage }) => {
    const scratch = guarded(stage, FILES, { mcp: true });
    userSettings(scratch, {
      permissions: { allow: ['Read', 'Edit', 'Write'] },
      enabledMcpjsonServers: ['guard'],
    });
    const [x, y] = [scratch.path('src/x.txt'), scratch.path('src/y.txt')];
    const reserved = makeGate();
    const api = await stage.api({
      holder: [
        use('mcp__guard__reserve_files', { patterns: ['src/**'], reason: 'moving files' }),
        async () => {
          reserved.open();
          await messages(scratch, 1);
          return read(y);
        },
        (seen) => calledIn(mailIn(seen), 'respond_to_release'),
        say('Done.'),
      ],
      requester: [
        read(x),
        edit(x, 'one', 'two'),
        ({ results }) => {
          const { tools = [] } = calledIn(howToAsk(denialOf(results[0])), 'negotiate_release');
          const input = { ...(tools[0]?.input as object), reason: 'a typo', wait_seconds: 60 };
          return use(tools[0]?.name ?? '', input);
        },
        use('mcp__guard__lock_try', { filepaths: [x] }),
        read(x),
        edit(x, 'one', 'two'),
        say('Done.'),
      ],
    });

    const holding = stage.start(api, scratch, { prompt: '[[holder]] Move the files.' });
    await reserved.opened;
    const asking = stage.start(api, scratch, { prompt: '[[requester]] Mend the typo.' });
    const [holder, requester] = await Promise.all([holding.done, asking.done]);

    expect(mailIn(api.at('holder', 2))).toContain(
      `claude-${requester.session} asks you to release "${x}": "a typo"`,
    );
    expect(denialOf(api.at('requester', 2).results[0])).toMatchObject({
      error_type: 'LOCKED_BY_OTHER',
      details: { holder: `claude-${holder.session}`, pattern: 'src/**' },
    });
    expect(JSON.parse(api.at('requester', 3).results[0]?.text ?? '')).toMatchObject({
      status: 'released',
      released_by: `claude-${holder.session}`,
      released_cnt: 1,
    });
    expect(scratch.read('src/x.txt')).toBe('two\n');
    expect([holder, requester].flatMap(failedHooks)).toEqual([]);
  },
);

situation(
  'by commands, with no permission but those that init adds, and without waiting: the answer comes with a later step',
  async ({ stage }) => {
    const scratch = guarded(stage, FILES);
    const [x, y] = [scratch.path('src/x.txt'), scratch.path('src/y.txt')];
    const [locked, asked] = [makeGate(), makeGate()];
    const command = (text: string, end: string): string => {
      const [, named = ''] = new RegExp(`Answer with: (.*?${end})`).exec(text) ?? [];
      return named;
    };
    const api = await stage.api({
      holder: [
        read(y),
        edit(y, 'one', 'two'),
        ({ results }) => bash(`${lockCommandOf(denialOf(results[0]))} ${x}`),
        async () => {
          locked.open();
          await asked.opened;
          return edit(y, 'one', 'two');
        },
        (seen) => bash(command(mailIn(seen), '--release')),
        say('Done.'),
      ],
      requester: [
        read(x),
        edit(x, 'one', 'two'),
        ({ results }) => bash(howToAsk(denialOf(results[0])).replace('WHY', "'a typo'")),
        async () => {
          asked.open();
          await messages(scratch, 2);
          return read(y);
        },
        edit(x, 'one', 'two'),
        ({ results }) => bash(lockCommandOf(denialOf(results[0]))),
        edit(x, 'one', 'two'),
        say('Done.'),
      ],
    });

    const holding = stage.start(api, scratch, { prompt: '[[holder]] Change y.' });
    await locked.opened;
    const asking = stage.start(api, scratch, { prompt: '[[requester]] Mend x.' });
    const [holder, requester] = await Promise.all([holding.done, asking.done]);

    const heard = [
      ...api.at('requester', 4).texts,
      ...api.at('requester', 4).results.map(({ text }) => text),
    ];
    expect(heard.join('\n')).toContain(`claude-${holder.session} answered your request`);
    expect(scratch.read('src/x.txt')).toBe('two\n');
    expect(scratch.read('src/y.txt')).toBe('two\n');
    expect([holder, requester].flatMap(failedHooks)).toEqual([]);
  },
);
