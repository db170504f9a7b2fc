/** The files that a shell line writes, and the time limit for finding them. */
import { describe, expect, it } from 'vitest';
import { commandsOf } from '../../../src/claude/shell/command-line.ts';
import { injectAgent } from '../../../src/claude/shell/inject.ts';

const writes = (line: string): readonly string[] | undefined => commandsOf(line)?.writes;

describe('what redirections and tee write to', () => {
  it.each<[string, readonly string[]]>([
    ['echo a > b', ['b']],
    ['echo a >> b', ['b']],
    ['echo a >| b', ['b']],
    ['echo a &> b', ['b']],
    ['echo a &>> b', ['b']],
    ['echo a >& b', ['b']],
    ['echo a 2>b 1>c', ['b', 'c']],
    ['echo a > "b c"', ['b c']],
    ['echo a > \'b\'"c"', ['bc']],
    ['echo a > b\\ c', ['b c']],
    ['{ a; } > b; (c) > d', ['b', 'd']],
    ['for i in 1; do a; done > b', ['b']],
    ['if a; then b > c; fi', ['c']],
    ['cat > b <<EOF\na > c\nEOF', ['b']],
    ['echo "$(a > b)"', ['b']],
    ['a | tee b', ['b']],
    ['a | tee -a b c > /dev/null', ['b', 'c', '/dev/null']],
    ['a | sudo tee /etc/x', ['/etc/x']],
    ['a > ~/b', ['~/b']],
    ['a > $HOME/b; a > "${HOME}/c"', ['~/b']],
    ['exec 3<>b', ['b']],
  ])('%s', (line, paths) => {
    expect([...new Set(writes(line))].toSorted()).toEqual([...paths].toSorted());
  });

  it.each([
    'echo a 2>&1',
    'echo a >&2',
    'echo "a > b"',
    "awk '$1 > 2' x",
    '[[ a > b ]]',
    '((a > b))',
    'a < b',
    'a <<< b',
    'a > $X',
    'a > "$X/b"',
    'a > `x`',
    'a > *.txt',
    'a > b{1,2}',
    'a > >(cat)',
    'diff <(a) <(b)',
    'grep tee x',
    'git commit -m "a > b"',
    'node -e "(x) => x > 3"',
  ])('not: %s', (line) => {
    expect(writes(line)).toEqual([]);
  });
});

describe('a line that would take too long is not parsed, and what is parsed takes no time', () => {
  const slow: readonly [string, string][] = [
    ['20,000 calls of guard', 'guard lock try a; '.repeat(20_000)],
    ['a megabyte of words', `guard lock try ${'word '.repeat(200_000)}`],
    ['64 KB of calls', 'guard lock try a; '.repeat(3_600)],
    ['64 KB of open braces', '{a,'.repeat(21_000)],
    ['64 KB of open brackets', 'a[&'.repeat(21_000)],
    ['8 KB of open braces', `guard ${'{'.repeat(3_000)}`],
    ['64 KB of substitutions', '$('.repeat(30_000)],
    ['64 KB of heredocs', 'cat <<E\n'.repeat(8_000)],
    ['64 KB of quotes', '"'.repeat(65_001)],
  ];

  it.each(slow)('%s', (_, line) => {
    const started = performance.now();
    commandsOf(line);
    // A hook's deadline is 5 s.
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('and still says who a subagent is, in time', () => {
    for (const [, line] of slow.filter(([, text]) => text.startsWith('guard lock'))) {
      const started = performance.now();
      expect(injectAgent(line, 'claude-s/a1')).toContain('claude-s/a1');
      expect(performance.now() - started).toBeLessThan(5_000);
    }
  });
});
