import { describe, expect, it } from 'vitest';
import { lineOnlyLooks } from '../../../src/claude/commands/quick.ts';

describe('a line that only looks, told at a glance', () => {
  it.each([
    'ls -la',
    'cd src && cat a.txt | head -20',
    'grep -rn "word" src 2>/dev/null',
    'git status --short && git diff HEAD~1 2>&1 | tail -5',
    "sed -n '1,20p' src/a.ts",
    'wc -l src/a.ts; pwd',
  ])('%s', (line) => expect(lineOnlyLooks(line)).toBe(true));

  it.each([
    'echo x > a',
    'echo x >&2a',
    'ls 2>/dev/nullx',
    'cat a | tee b',
    'ls; rm a',
    'ls\nrm a',
    'ls & rm a',
    '(rm a)',
    'echo $(rm a)',
    'echo `rm a`',
    'ls <(rm a)',
    'echo ${x:=1} && $x',
    "sed -n '1w out' a",
    'sed -i s/a/b/ a',
    'git diff --output=a',
    'git stash',
    'git -c alias.x=!rm log',
    'xxd a b',
    'uniq a b',
    'tree -o a',
    'find . -delete',
    'FOO=1 rm a',
    'sudo ls',
    'xargs rm < a',
  ])('not: %s', (line) => expect(lineOnlyLooks(line)).toBe(false));
});
