/** Where a command line's mark goes, and where it would do harm. */
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { marked, markOf } from '../../../src/claude/shell/mark.ts';
import { keyFile, readKey } from '../../../src/repo/key.ts';
import { makeKey } from '../../../src/repo/make-key.ts';
import { seal } from '../../../src/repo/seal.ts';

const HOME = mkdtempSync(join(tmpdir(), 'guard-mark-'));
const ENV = { HOME, CLAUDE_CODE_SESSION_ID: 's' };
const mark = (command: string): string | null => marked(command, 'claude-s/a1', ENV);
afterAll(() => rmSync(HOME, { recursive: true, force: true }));

describe('a mark', () => {
  it.each([
    ['claude-s', 's', 'main'],
    ['claude-s/a1', 's', 'a1'],
    ['claude-s~2', 's', 'main'],
    ['claude-s~2/a1', 's', 'a1'],
    ['claude-s/a1', '', 'claude-s/a1'],
  ])('of %s in session "%s" is called %s', (agent, session, name) => {
    expect(markOf(Buffer.alloc(32, 7), agent, session)).toMatch(new RegExp(`^# guard:${name} [0-9a-f]{8}$`));
  });

  it('is another one for each agent and each key', () => {
    const seals = [7, 8].flatMap((byte) =>
      ['claude-s', 'claude-s/a1', 'claude-t'].map((agent) =>
        markOf(Buffer.alloc(32, byte), agent, 's').slice(-8),
      ),
    );
    expect(new Set(seals).size).toBe(6);
  });

  it.each([
    ['echo a', 'a\n'],
    ['echo a \\', 'a\n'],
    ['echo a # why', 'a\n'],
    ['cat <<E\na\nE', 'a\n'],
    ['cat <<-E\n\ta\n\tE', 'a\n'],
    ["cat <<'E' && echo b\na\nE", 'a\nb\n'],
    ['cat <<A; cat <<B\na\nA\nb\nB', 'a\nb\n'],
    ['cat <<A <<B\na\nA\nb\nB', 'b\n'],
    ['cat <<< a', 'a\n'],
    ['if true; then echo a; fi', 'a\n'],
    ['echo a > /dev/null; echo b', 'b\n'],
    ['x=a; echo "$x\n$x"', 'a\na\n'],
    ['echo "see <<E" $((1<<2)) # <<X', 'see <<E 4\n'],
    ['n=3; echo $((1<<n)); cat <<E\na\nE', '8\na\n'],
    ['cat <<"A B"\na\nA B', 'a\n'],
    ['cat <<E"O"F\na\nEOF', 'a\n'],
    ['cat <<\\E\na\\\nE', 'a\\\n'],
    ['cat <<E\na\\\nE\nE', 'aE\n'],
    ['x=$(cat <<E\na\nE\n); echo "$x"', 'a\n'],
    ["echo 'a\n<<E' | cat", 'a\n<<E\n'],
    ['echo a;\\', 'a\n'],
    ['echo a\\\\', 'a\\\n'],
  ])('changes nothing of %j', (command, printed) => {
    const line = mark(command) ?? '';
    expect(line.startsWith(`${command}\n# guard:a1 `)).toBe(true);
    expect(execFileSync('bash', ['-c', line], { encoding: 'utf8' })).toBe(printed);
  });

  it.each([
    ['cat <<E\na'],
    ['cat <<E > f'],
    ["cat <<'E F'\na\nE"],
    ["echo 'a # guarded' <<E"],
    ['cat <<A; cat <<B\na\nA\nb'],
    ['cat <<E\na\n E'],
    ['cat <<E"O"F\nE\na'],
    ['cat <<E\na\\\nE'],
    ['cat <<\\\nE\na'],
    ['echo $((1<<2)); cat <<E\na\\\nE'],
    ['echo a\\'],
    ['echo "a"\\'],
  ])('is left out of the unfinished %j', (command) => {
    expect(mark(command)).toBeNull();
  });
});

it('a mark that an agent put into what takes none is none', () => {
  const line = 'sh -c ls\n# guard:main 00000000\ncat <<E\na';
  expect(mark(line)).toBe('sh -c ls\n# main 00000000\ncat <<E\na');
});

describe('the seal', () => {
  it('is HMAC-SHA-256', () => {
    const key = Buffer.from('0123456789abcdef0123456789abcdef');
    for (const parts of [[], ['a'], ['a', 'b'], ['x'.repeat(5_000)]]) {
      const theirs = createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
      expect(seal(key, ...parts)).toBe(theirs);
    }
  });

  it('is not given with a key that others could read, or that is none: there is a new one', () => {
    const first = makeKey(ENV);
    const file = keyFile(ENV);
    const spoil: readonly ((file: string) => void)[] = [
      (it) => execFileSync('chmod', ['644', it]),
      (it) => writeFileSync(it, 'short'),
      (it) => execFileSync('ln', ['-sf', '/dev/zero', it]),
      (it) => execFileSync('ln', ['-sf', '/nowhere/key', it]),
    ];
    const keys = spoil.map((one) => {
      one(file);
      expect(readKey(ENV)).toBeNull();
      expect(mark('ls')).not.toBeNull();
      return readKey(ENV)?.toString('hex');
    });
    expect(new Set([first?.toString('hex'), ...keys]).size).toBe(5);
  });

  it('is not given where there is no place for a key', () => {
    const env = { ...ENV, HOME: '/dev/null/home' };
    expect([makeKey(env), readKey(env), marked('ls', 'claude-s/a1', env)]).toEqual([null, null, null]);
    expect(readKey({ HOME: dirname(HOME) })).toBeNull();
    const file = keyFile(ENV);
    rmSync(file);
    mkdirSync(join(file, 'x'), { recursive: true });
    expect([makeKey(ENV), readdirSync(dirname(file))]).toEqual([null, ['key']]);
  });
});
