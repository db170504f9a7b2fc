/** Two clients lock through guard's MCP tools until they wait for each other: the youngest is notified, both finish. */
import { expect } from 'vitest';

import { makeGate } from './client/gate.ts';
import { failedHooks, guarded, logOf, userSettings } from './client/guarded.ts';
import { type Answer, edit, read, say, use } from './client/scenario.ts';
import { situation } from './client/stage.ts';

interface Told {
  readonly all_acquired?: boolean;
  readonly notes?: readonly string[];
  readonly results: readonly {
    readonly filepath: string;
    readonly acquired?: boolean;
    readonly error?: string;
    readonly holder?: string | null;
    readonly deadlock?: { readonly victim: string; readonly release: string };
  }[];
}

const toldIn = (text: string | undefined): Told => JSON.parse(text ?? 'null') as Told;
const lock = (tool: string, input: object): Answer => use(`mcp__guard__${tool}`, input);

situation(
  'two clients deadlock through the MCP tools: the youngest is told, lets go, and both finish',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'a.txt': 'one\n', 'b.txt': 'one\n' }, { mcp: true });
    userSettings(scratch, {
      permissions: { allow: ['Read', 'Edit', 'Write', 'NotebookEdit'] },
      enabledMcpjsonServers: ['guard'],
    });
    const [a, b] = ['a.txt', 'b.txt'].map((name) => scratch.path(name)) as [string, string];
    const [old_holds, young_holds] = [makeGate(), makeGate()];

    const api = await stage.api({
      old: [
        () => lock('lock_try', { filepaths: [a] }),
        async () => {
          old_holds.open();
          await young_holds.opened;
          return lock('lock_wait', { filepaths: [b], timeout_seconds: 60 });
        },
        read(b),
        edit(b, 'one', 'two'),
        lock('lock_release_all', {}),
        say('Done.'),
      ],
      young: [
        async () => {
          await old_holds.opened;
          return lock('lock_try', { filepaths: [b] });
        },
        () => {
          young_holds.open();
          return lock('lock_wait', { filepaths: [a], timeout_seconds: 60 });
        },
        ({ results }) => {
          const [row] = toldIn(results[0]?.text).results;
          const [, filepaths = '[]'] =
            /^lock_release \{"filepaths":(\[.*\])\}$/.exec(row?.deadlock?.release ?? '') ?? [];
          return lock('lock_release', { filepaths: JSON.parse(filepaths) as string[] });
        },
        lock('lock_wait', { filepaths: [a], timeout_seconds: 60 }),
        say('Done.'),
      ],
    });

    const old = stage.start(api, scratch, { prompt: '[[old]] Change b.' });
    await old_holds.opened;
    const young = stage.start(api, scratch, { prompt: '[[young]] Change a.' });
    const runs = await Promise.all([old.done, young.done]);
    const [first, second] = runs.map(({ session }) => `claude-${session}`);

    const verdict = toldIn(api.at('young', 2).results[0]?.text);
    expect(verdict).toMatchObject({
      all_acquired: false,
      results: [{ filepath: a, acquired: false, holder: first, error: 'DEADLOCK' }],
    });
    expect(verdict.results[0]?.deadlock).toMatchObject({
      victim: second,
      release: `lock_release ${JSON.stringify({ filepaths: [b] })}`,
    });
    expect(verdict.notes?.[0]).toContain('You were chosen to give way');
    expect(toldIn(api.at('old', 2).results[0]?.text).all_acquired).toBe(true);
    expect(toldIn(api.at('young', 4).results[0]?.text).all_acquired).toBe(true);
    expect(scratch.read('b.txt')).toBe('two\n');
    expect(logOf(scratch, '--type', 'deadlock')).toMatchObject([{ victim: second, resolve: 'notify' }]);
    expect(new Set(logOf(scratch, '--type', 'hold').map(({ agent }) => agent))).toEqual(
      new Set([first, second]),
    );
    expect(runs.map(({ result }) => result)).toEqual(['Done.', 'Done.']);
    expect(runs.flatMap(failedHooks)).toEqual([]);
  },
);

const sub = (marker: string): Answer =>
  use('Agent', {
    description: `Agent ${marker}`,
    prompt: `[[${marker}]] Do your part.`,
    subagent_type: 'general-purpose',
  });

situation(
  'two subagents of one session are two holders at the MCP tools, whatever name they give themselves',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'a.txt': 'one\n' }, { mcp: true });
    userSettings(scratch, {
      permissions: { allow: ['Read', 'Edit', 'Write'] },
      enabledMcpjsonServers: ['guard'],
    });
    const [first_holds, second_was_refused] = [makeGate(), makeGate()];
    const { run, api } = await stage.play(
      scratch,
      {
        main: ({ step }) =>
          step === 0
            ? { tools: [...(sub('first').tools ?? []), ...(sub('second').tools ?? [])] }
            : say('Done.'),
        first: [
          lock('lock_try', { filepaths: ['a.txt'] }),
          async () => {
            first_holds.open();
            await second_was_refused.opened;
            return say('Done.');
          },
        ],
        second: [
          async () => {
            await first_holds.opened;
            return lock('lock_try', { filepaths: ['a.txt'], _agent: 'claude-somebody-else' });
          },
          () => {
            second_was_refused.open();
            return say('Done.');
          },
        ],
      },
      { prompt: '[[main]] Let two agents do it.' },
    );
    const [row] = toldIn(api.at('second', 1).results[0]?.text).results;
    expect(row).toMatchObject({ acquired: false });
    expect(row?.holder).toMatch(new RegExp(`^claude-${run.session}/.+`));
    const wanted = logOf(scratch, '--type', 'wait').map(({ agent }) => agent);
    expect(wanted).toHaveLength(1);
    expect(wanted[0]).toMatch(new RegExp(`^claude-${run.session}/.+`));
    expect(wanted[0]).not.toBe(row?.holder);
    expect(failedHooks(run)).toEqual([]);
  },
);
