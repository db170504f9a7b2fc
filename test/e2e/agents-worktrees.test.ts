/** Agents in separate worktrees, with the real client: what they leave, how it is read, merged and discarded. */
import { expect } from 'vitest';

import { bash, edit, read, say, type Seen, use } from './client/scenario.ts';
import { situation } from './client/stage.ts';
import { yard } from './harness.ts';

interface Changes {
  readonly worktrees: readonly { readonly agentId: string; readonly files: readonly object[] }[];
  readonly pairs: readonly { readonly conflicts: readonly { readonly path: string }[] }[];
}

const CLAUDE_SERVER = { command: 'guard', args: ['mcp'] };

situation(
  'two agents change one line in two worktrees: one command says so, the first is merged, the second refused',
  async ({ stage }) => {
    const place: Record<string, string> = {};
    /** Asks where it is, then changes the line there without committing. */
    const work =
      (name: string, word: string) =>
      ({ step, results }: Seen) => {
        if (step === 0) return bash('pwd');
        if (step === 1) place[name] = results[0]?.text.trim() ?? '';
        const file = `${place[name] ?? ''}/a.txt`;
        const steps = [
          read(file),
          use('mcp__guard__lock_try', { filepaths: [file] }),
          edit(file, 'two', word),
          say(`I changed it to ${word}.`),
        ];
        return steps[step - 1] ?? say('Done.');
      };
    const at = await yard(
      stage,
      { 'a.txt': 'one\ntwo\nthree\n', '.mcp.json': JSON.stringify({ mcpServers: { guard: CLAUDE_SERVER } }) },
      { first: work('first', 'TWO'), second: work('second', 'II') },
    );
    at.scratch.write(
      '.agents/roles/own.json',
      JSON.stringify({
        ...{ name: 'own', category: 'worker', prompt: 'You work apart.', worktree: {} },
        tools: ['Read', 'Edit', 'Bash(pwd)'],
      }),
    );
    const first = await at.draft('own', '[[first]] Change it.');
    expect(await at.await(first)).toMatchObject({ status: 'completed', worktree: { changed: ['a.txt'] } });
    const second = await at.draft('own', '[[second]] Change it.');
    expect(await at.await(second)).toMatchObject({ status: 'completed', worktree: { kept: true } });
    const { worktrees, pairs } = (await at.json('agent', 'changes')) as Changes;
    expect(worktrees).toMatchObject([
      { agentId: first, files: [{ path: 'a.txt', added: 1, removed: 1, is_open: true }] },
      { agentId: second, files: [{ path: 'a.txt' }] },
    ]);
    expect(pairs).toMatchObject([{ conflicts: [{ path: 'a.txt' }] }]);
    const { stdout: log } = await at.guard('agent', 'logs', first);
    expect(log).toContain('> Bash pwd');
    expect(log).toContain('I changed it to TWO.');
    expect(log).not.toContain('"type"');
    expect((await at.guard('agent', 'merge', first)).code).toBe(0);
    expect(at.scratch.read('a.txt')).toBe('one\nTWO\nthree\n');
    expect(await at.json('agent', 'merge', second)).toMatchObject({
      error: { facts: { why: 'conflicts', files: 'a.txt' } },
    });
    expect(at.scratch.read('a.txt')).toBe('one\nTWO\nthree\n');
    expect((await at.guard('agent', 'discard', second)).code).toBe(0);
    expect(await at.json('agent', 'changes')).toMatchObject({ worktrees: [], pairs: [] });
    const list = (await at.guard('agent', 'list', '--since', '12h')).stdout;
    expect(list).toContain('2 completed');
  },
);
