/** A wait as shown in a terminal: who holds the file, and how long it may still take. */
import { createColors } from 'picocolors';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import type { Shell } from '../../src/cli/shell.ts';
import { scratch, type Scratch } from '../claude/driver.ts';

function shellAt(at: Scratch): Shell & { readonly said: string[]; readonly printed: string[] } {
  const [said, printed]: [string[], string[]] = [[], []];
  return {
    cwd: at.root,
    env: at.env,
    isInteractive: true,
    isWatched: true,
    color: createColors(false),
    out: (text) => void printed.push(text),
    err: (text) => void said.push(text),
    json: (value) => void printed.push(JSON.stringify(value)),
    exitCode: 0,
    said,
    printed,
  };
}

async function wait(shell: Shell, terminal: boolean, file = 'a', timeout = '2.3s'): Promise<number> {
  const before = process.stderr.isTTY;
  process.stderr.isTTY = terminal;
  try {
    return await runProgram(['lock', 'wait', file, '--agent', 'me', '--timeout', timeout], shell, '0');
  } finally {
    process.stderr.isTTY = before;
  }
}

describe('guard lock wait on a terminal', () => {
  it('counts down in one line, and leaves nothing of it behind', async () => {
    const at = scratch();
    at.guard('lock', 'try', 'a', '--agent', 'holder');
    const shell = shellAt(at);
    expect(await wait(shell, true)).toBe(1);
    const left = shell.said.flatMap((text) => /held by holder; (\d) s left/.exec(text)?.[1] ?? []);
    expect(left.map(Number)).toEqual([...left.map(Number)].sort((x, y) => y - x));
    expect(new Set(left).size).toBeGreaterThanOrEqual(2);
    expect(shell.said.every((text) => text.startsWith('\r\u001b[2K') && !text.includes('\n'))).toBe(true);
    expect(shell.said.at(-1)).toBe('\r\u001b[2K');
    expect(shell.printed.join('')).toMatch(/held by holder, expires in \d+[smh] \(timeout\)/);
  });

  it('shows no countdown without a terminal', async () => {
    const at = scratch();
    at.guard('lock', 'try', 'a', '--agent', 'holder');
    const shell = shellAt(at);
    await wait(shell, false);
    expect(shell.said).toEqual([]);
  });

  it('shows names that would be control characters as text', async () => {
    const at = scratch();
    at.guard('lock', 'try', 'a\u001b[2J', '--agent', 'holder');
    const shell = shellAt(at);
    await wait(shell, true, 'a\u001b[2J', '500ms');
    expect(shell.said[0]).toContain('a\\x1b[2J');
  });
});
