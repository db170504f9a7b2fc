/** Commands of git that take more than one's own: refused with the narrow form, which then passes. */
import { expect } from 'vitest';

import { beside } from './client/beside.ts';
import { denialOf } from './client/denial.ts';
import { failedHooks, guarded } from './client/guarded.ts';
import type { ToolResult } from './client/messages.ts';
import { bash, say } from './client/scenario.ts';
import type { Answer, Seen } from './client/scenario.ts';
import { situation } from './client/stage.ts';

/** Each is tried, and where its refusal names a narrower one, that one. */
function narrowed(lines: readonly string[], said: Map<string, ToolResult[]>): (seen: Seen) => Answer {
  let [at, follows] = [0, false];
  return ({ step, results }) => {
    const [result] = results;
    if (step > 0 && result !== undefined) {
      const line = lines[at] ?? '';
      said.set(line, [...(said.get(line) ?? []), result]);
      const next = result.is_error && !follows ? (denialOf(result).details.next ?? []) : [];
      const narrow = next.find((text) => /^git (?:stash|restore|add|commit|checkout)\b/.test(text));
      follows = narrow !== undefined;
      if (narrow !== undefined) return bash(narrow);
      at += 1;
    }
    const line = lines[at];
    return line === undefined ? say('Done.') : bash(line);
  };
}

situation(
  'stash, checkout, reset and add with the work of another session are refused',
  async ({ stage }) => {
    const files = { 'x.txt': 'one\ntwo\n', 'y.txt': 'mine\n', 'z.txt': 'clean\n' };
    const scratch = guarded(stage, files, { on_path: true, allow: ['Bash'] });
    const said = new Map<string, ToolResult[]>();
    const lines = [
      'echo more >> y.txt',
      'git stash',
      'git stash pop',
      'git add -A && git status --short',
      'git checkout -- .',
      'git reset --hard',
      'git status --short && git log --oneline -1',
    ];
    const { runs } = await beside(stage, scratch, {
      files: [scratch.path('x.txt')],
      other: { other: narrowed(lines, said) },
    });
    const outcomes = (line: string): readonly boolean[] =>
      (said.get(line) ?? []).map(({ is_error }) => is_error);
    expect(outcomes('echo more >> y.txt')).toEqual([false]);
    expect(outcomes('git stash')).toEqual([true, false]);
    expect(outcomes('git stash pop')).toEqual([false]);
    expect(outcomes('git add -A && git status --short')).toEqual([true, false]);
    expect(outcomes('git checkout -- .')[0]).toBe(true);
    expect(outcomes('git reset --hard')[0]).toBe(true);
    expect(outcomes('git status --short && git log --oneline -1')).toEqual([false]);
    expect(scratch.read('x.txt')).toBe('ONE\ntwo\n');
    expect([...failedHooks(runs.holder), ...failedHooks(runs.other)]).toEqual([]);
  },
);
