/** Drafted agents, with the real client: without their drafter, in a worktree, without an answer, out of money. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { expect } from 'vitest';

import { makeGate } from './client/gate.ts';
import { holderOf, userSettings } from './client/guarded.ts';
import { type Answer, bash, edit, read, say, use } from './client/scenario.ts';
import { situation } from './client/stage.ts';
import { type Ended, marksOf, processesOf, yard } from './harness.ts';

const block = (summary: string): Answer =>
  say(`Done.\n\`\`\`json\n{"summary":"${summary}","changes":[],"issues":[],"questions":[]}\n\`\`\``);

/** Live processes that belong to an agent, or to a process group. */
function processes(isOurs: (environ: string, group: string) => boolean): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const [state, , group = ''] =
        readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
      return state !== 'Z' && isOurs(readFileSync(`/proc/${pid}/environ`, 'latin1'), group);
    } catch {
      // Not a process, or one that has ended meanwhile.
      return false;
    }
  });
}

async function gone(pids: readonly number[]): Promise<void> {
  for (let n = 0; n < 100 && pids.some((pid) => existsSync(`/proc/${pid}`)); n++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
}

situation.concurrent(
  'a session is killed with its servers in the middle of its agent’s work: the agent goes on to its end',
  async ({ stage }) => {
    const [drafted, holds, killed] = [makeGate(), makeGate(), makeGate()];
    const at = await yard(
      stage,
      { 'a.txt': 'one\n', 'guard.config.json': '{"mcp":{"streamTimeout":120000}}' },
      {
        person: [
          use('mcp__guard-harness__draft_agent', { role: 'dev', prompt: '[[dev]] Write it.' }),
          async () => {
            drafted.open();
            return new Promise<never>(() => undefined);
          },
        ],
        dev: [
          () => read(at.scratch.path('a.txt')),
          use('mcp__guard__lock_try', { filepaths: ['a.txt'] }),
          async () => {
            holds.open();
            await killed.opened;
            return edit(at.scratch.path('a.txt'), 'one', 'two');
          },
          block('went on'),
        ],
      },
    );
    userSettings(at.scratch, { permissions: { allow: ['Read', 'Edit', 'mcp__guard-harness'] } });
    const person = at.session('[[person]] Draft one.');
    await Promise.all([drafted.opened, holds.opened]);
    const { agents } = (await at.json('agent', 'list')) as { agents: { id: string }[] };
    // The hook signed the call.
    expect(agents).toMatchObject([
      { role: 'dev', status: 'running', drafted_by: `claude-${person.id}`, leases: ['a.txt'] },
    ]);
    const id = agents[0]?.id ?? '';
    const { supervisor, client } = marksOf(at, id);
    expect(readFileSync(`/proc/${client.pid}/environ`, 'latin1').split('\0')).toContain(
      'CLAUDE_CODE_STREAM_CLOSE_TIMEOUT=120000',
    );
    await person.crash();
    expect(processes((_, group) => group === String(person.pid))).toEqual([]);
    expect(await at.json('agent', 'list')).toMatchObject({ agents: [{ id, status: 'running' }] });
    killed.open();
    expect(await at.await(id)).toMatchObject({ status: 'completed', result: { summary: 'went on' } });
    expect(at.scratch.read('a.txt')).toBe('two\n');
    expect(holderOf(at.scratch, 'a.txt')).toBeNull();
    expect(processesOf([id])).toEqual([]);
    await gone([supervisor.pid, client.pid]);
  },
);

situation.concurrent(
  'a written plan is carried out in a worktree, and the answer says what was changed there',
  async ({ stage }) => {
    let kept = '';
    const worktrees = (): string[] =>
      readdirSync(at.scratch.path('.claude/worktrees')).filter((name) => name.startsWith('guard-'));
    const at = await yard(
      stage,
      { 'a.txt': 'one\n', 'plan.md': '# Plan [[plan]]\n\nChange a.txt.\n', 'idle.md': '[[idle]] Nothing.\n' },
      {
        plan: ({ step }) => {
          const [name = ''] = worktrees();
          kept = name;
          const file = at.scratch.path(`.claude/worktrees/${name}/a.txt`);
          const steps = [
            read(file),
            use('mcp__guard__lock_try', { filepaths: [file] }),
            edit(file, 'one', 'two'),
            bash('git commit -qam Two'),
          ];
          return steps[step] ?? block('planned');
        },
        idle: ({ step }) => {
          const name = worktrees().find((one) => one !== kept) ?? '';
          const file = at.scratch.path(`.claude/worktrees/${name}/.claude/guard-hook.cjs`);
          return [read(file), edit(file, 'use strict', 'no')][step] ?? block('nothing to do');
        },
      },
    );
    const carryOut = async (file: string): Promise<Ended> => {
      const told = (await at.json(
        'agent',
        'draft',
        '--role',
        'writer',
        '--worktree',
        '--plan',
        file,
      )) as Ended;
      expect(told).toMatchObject({ status: 'completed' });
      return told;
    };
    const before = at.scratch.git('rev-parse', 'HEAD');
    const told = await carryOut('plan.md');
    expect(told).toMatchObject({ result: { summary: 'planned' } });
    expect(told.worktree).toMatchObject({ changed: ['a.txt'], commits: 1, kept: true });
    expect(at.scratch.git('show', `${String(told.worktree?.branch)}:a.txt`)).toBe('two\n');
    expect(at.scratch.read('a.txt')).toBe('one\n');
    expect(at.scratch.git('rev-parse', 'HEAD')).toBe(before);
    expect(at.scratch.git('status', '--porcelain', '--', 'a.txt')).toBe('');

    // If guard's launcher is committed, a worktree contains it, and the agent runs under that one.
    at.scratch.git('add', '-A', '.claude/settings.json', '.claude/guard-hook.cjs');
    at.scratch.git('commit', '-qm', 'Guard');
    const idle = await carryOut('idle.md');
    expect(at.api.at('idle', 2).results[0]?.text).toContain('PROTECTED_PATH');
    expect(idle.worktree).toMatchObject({ changed: [], commits: 0, kept: false });
    expect(existsSync(idle.worktree?.dir ?? '')).toBe(false);
    expect(at.scratch.git('branch', '--list', idle.worktree?.branch ?? '')).toBe('');
  },
);

situation.concurrent(
  'an agent whose API never answers is stopped, and nothing of it stays',
  async ({ stage }) => {
    const at = await yard(stage, {}, { quiet: [() => new Promise<never>(() => undefined)] });
    const id = await at.draft('quiet', '[[quiet]] Say something.');
    expect(await at.await(id)).toMatchObject({
      status: 'timeout',
      reason: 'it was silent for more than 3 s',
    });
    expect(processesOf([id])).toEqual([]);
    const { supervisor, client } = marksOf(at, id);
    await gone([supervisor.pid, client.pid]);
  },
);

situation.concurrent(
  'an agent that costs more than it may ends as one that had no money left',
  async ({ stage }) => {
    const at = await yard(
      stage,
      { 'a.txt': 'one\n' },
      { cheap: ({ step }) => (step < 3 ? read(at.scratch.path('a.txt')) : say('Done.')) },
    );
    expect(await at.await(await at.draft('cheap', '[[cheap]] Read.'))).toMatchObject({ status: 'budget' });
  },
);
