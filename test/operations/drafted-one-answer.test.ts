/** For drafted agents and tasks, each input gets the same answer from the operation, over MCP and from a command. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callerOf } from '../../src/cli/caller.ts';
import { openHarness } from '../../src/harness/workspace.ts';
import { AWAIT_AGENT } from '../../src/operations/awaiting.ts';
import {
  DRAFT_AGENT,
  type DrafterWorkspace,
  KILL_AGENT,
  LIST_DRAFTED,
  MESSAGE_AGENT,
} from '../../src/operations/drafted.ts';
import type { InputFields } from '../../src/operations/field.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { RUN_PLAN } from '../../src/operations/run-plan.ts';
import { CREATE_TASK, GET_TASK_CONTEXT, LIST_TASKS } from '../../src/operations/tasks.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { harness, type Harness } from '../harness/harness.ts';
import { serve } from '../mcp/client.ts';
import { asCommand, directly, essenceOf, type Input, type Json, overMcp, type Said } from './faces.ts';

const RUNS = Number(process.env['GUARD_TEST_FACES'] ?? 25);
const LIMIT_MS = 240_000;
const ME = 'somebody';

interface DraftFaces {
  readonly at: Harness;
  /** `words` is null if no command line can express the input, `tool` if there is no such tool. */
  ask<F extends InputFields, R extends object>(
    op: Operation<F, R, DrafterWorkspace>,
    input: Input,
    words: readonly string[] | null,
    tool?: string | null,
  ): Promise<Map<string, Said>>;
}

async function openFaces(): Promise<DraftFaces> {
  const at = harness();
  const env = { ...at.at.env, ...at.env };
  const mcp = await serve(at.at, at.env, ['--tools', 'harness']);
  return {
    at,
    async ask(op, input, words, tool = op.name) {
      const space = openHarness(locateRepo(at.at.root), env);
      const said = new Map<string, Said>();
      said.set('itself', await directly(op, input, () => ({ ...space, who: callerOf(space, ME) })));
      space.close();
      if (tool !== null) said.set('mcp', await overMcp(mcp, tool, ME, input));
      if (words !== null)
        said.set('command', await asCommand({ root: at.at.root, env }, [...words, '--json']));
      return said;
    },
  };
}

function expectOne(said: Map<string, Said>, of: (answer: Json) => unknown): void {
  const told = Object.fromEntries([...said].map(([face, one]) => [face, essenceOf(of)(one)]));
  expect(told).toEqual(Object.fromEntries([...said.keys()].map((face) => [face, told['itself']])));
}

const isWord = (value: unknown): value is string => typeof value === 'string';
const option = (name: string, value: unknown): readonly string[] =>
  isWord(value) ? [`${name}=${value}`] : [];

/** Null if a command line cannot express it: values are text, flags are on or off, and a task can supply the prompt. */
function draftWords({ role, prompt, taskSlug, worktree }: Input): readonly string[] | null {
  const isTypeable =
    isWord(role) &&
    isWord(prompt) &&
    (isWord(taskSlug) || taskSlug === undefined || taskSlug === null) &&
    [undefined, 'false', false].includes(worktree as never);
  if (!isTypeable) return null;
  return [
    ...['agent', 'draft', '--agent', ME, ...option('--role', role), ...option('--task', taskSlug)],
    prompt,
  ];
}

describe('drafting', () => {
  it(
    'is one thing whatever is asked',
    async () => {
      const faces = await openFaces();
      const asked = fc.record(
        {
          role: fc.constantFrom<unknown>('dev', 'dev', 'nobody', '../dev', 'x'.repeat(70), '', 5, null),
          prompt: fc.constantFrom<unknown>('result Done.', ' ', '', 'x'.repeat(200_001), 5, null),
          taskSlug: fc.constantFrom<unknown>('mine', '../out', 'con', '', 7, null),
          worktree: fc.constantFrom<unknown>(false, 'false', 'maybe', 1),
        },
        { requiredKeys: ['role', 'prompt'] },
      );
      await fc.assert(
        fc.asyncProperty(asked, async (input) =>
          expectOne(await faces.ask(DRAFT_AGENT, input, draftWords(input)), ({ role }) => role),
        ),
        {
          numRuns: RUNS,
          examples: [
            [{ role: 'dev', prompt: 'result Done.', taskSlug: 'mine' }],
            [{ role: 'dev', prompt: '', taskSlug: '../out' }],
          ],
        },
      );
    },
    LIMIT_MS,
  );
});

describe('one agent, and one task', () => {
  it(
    'are awaited, ended and told of in one way, whatever they are called',
    async () => {
      const faces = await openFaces();
      const over = faces.at.draft('dev', ['result Done.'], '--task', 'mine');
      faces.at.await(over);
      const id = fc.constantFrom<unknown>(over, 'claude-nobody', 'x\u001b[31m', 'x'.repeat(300), '', 5, null);
      const words = (verb: string, value: unknown) =>
        isWord(value) ? ['agent', verb, value, '--agent', ME] : null;
      const slug = fc.constantFrom<unknown>('mine', 'nothing', '../x', 'con', '', 5, null);
      await fc.assert(
        fc.asyncProperty(id, slug, async (agentId, taskSlug) => {
          const awaited = await faces.ask(AWAIT_AGENT, { agentId }, words('await', agentId));
          expectOne(awaited, (answer) => answer);
          const killed = await faces.ask(KILL_AGENT, { agentId }, words('kill', agentId));
          expectOne(killed, (answer) => answer);
          const context = isWord(taskSlug) ? ['task', 'context', taskSlug] : null;
          expectOne(await faces.ask(GET_TASK_CONTEXT, { taskSlug }, context), (answer) => answer);
        }),
        { numRuns: RUNS, examples: [[over, 'mine']] },
      );
    },
    LIMIT_MS,
  );

  it(
    'are listed alike',
    async () => {
      const faces = await openFaces();
      const id = faces.at.draft('dev', ['hang'], '--task', 'mine');
      const running = await faces.ask(LIST_DRAFTED, { colour: 'red' }, ['agent', 'list']);
      expectOne(running, ({ agents }) => (agents as { id: string }[]).map((one) => one.id));
      expect(essenceOf(({ agents }) => agents)(running.get('itself') as Said)).toMatchObject([{ id }]);
      for (const face of ['itself', 'mcp'])
        expect(essenceOf(({ notes }) => notes)(running.get(face) as Said)).toEqual([
          '"colour" is not an argument of this call and was ignored.',
        ]);
      expectOne(await faces.ask(LIST_TASKS, {}, ['task', 'list']), (answer) => answer);
    },
    LIMIT_MS,
  );
});

describe('saying something to an agent, and a plan of several', () => {
  it(
    'is one thing, whoever it is for and whatever is said',
    async () => {
      const faces = await openFaces();
      const agentId = fc.constantFrom<unknown>('claude-nobody', 'x'.repeat(300), '', 5);
      const said = fc.constantFrom<unknown>('Go on.', ' ', '', 5, 'x'.repeat(200_001));
      await fc.assert(
        fc.asyncProperty(agentId, said, async (id, text) => {
          const words = isWord(id) && isWord(text) ? ['agent', 'send', id, text, '--agent', ME] : null;
          expectOne(await faces.ask(MESSAGE_AGENT, { agentId: id, text }, words), (answer) => answer);
        }),
        { numRuns: RUNS },
      );
      const file = join(faces.at.at.root, 'plan.json');
      const tasks = [{ id: 'one', role: 'dev', prompt: 'result Done.' }];
      for (const plan of [JSON.stringify({ id: 'p', tasks }), '{', '{"id":"p"}', '']) {
        writeFileSync(file, plan);
        const words = ['agent', 'run', file, '--dry-run', '--agent', ME];
        expectOne(await faces.ask(RUN_PLAN, { plan, dry_run: true }, words, null), (answer) => answer);
      }
    },
    LIMIT_MS,
  );
});

describe('a task', () => {
  it(
    'is made, or refused, in one way',
    async () => {
      const faces = await openFaces();
      let made = 0;
      const asked = fc.record({
        taskSlug: fc.constantFrom<unknown>('new', 'mine', '../out', '', null),
        description: fc.constantFrom<unknown>('What is to be done', ' ', '', null),
      });
      faces.at.guard('task', 'create', 'mine');
      await fc.assert(
        fc.asyncProperty(asked, async ({ taskSlug, description }) => {
          const named = (): unknown => (taskSlug === 'new' ? `new-${++made}` : taskSlug);
          const [own, typed] = [named(), named()];
          const words = [
            'task',
            'create',
            ...(isWord(typed) ? [typed] : []),
            ...option('--description', description),
          ];
          const said = await faces.ask(CREATE_TASK, { taskSlug: own, description }, words, null);
          expectOne(said, (answer) => answer['description']);
        }),
        { numRuns: RUNS },
      );
    },
    LIMIT_MS,
  );
});
