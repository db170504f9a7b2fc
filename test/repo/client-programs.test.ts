import { describe, expect, it } from 'vitest';
import { clientNamed } from '../../src/repo/client-programs.ts';

const named = (name: string, ...words: readonly string[]) => clientNamed(name, words);

describe('a process is a client', () => {
  it.each([
    ['claude', 'claude', ['claude', '--resume']],
    ['claude', 'node', ['node', '/lib/node_modules/@anthropic-ai/claude-code/cli.js']],
    ['codex', 'codex', ['/usr/bin/codex', 'exec', 'fix it']],
    ['copilot', 'copilot', ['copilot']],
    ['opencode', 'opencode', ['/home/me/.opencode/bin/opencode']],
    ['gemini', 'MainThread', ['node', '/usr/local/bin/gemini']],
    [
      'gemini',
      'node',
      ['node', '--max-old-space-size=8192', '/lib/@google/gemini-cli/bundle/gemini.js', '-p', 'x'],
    ],
    ['qwen', 'node', ['node', '--import', './x.js', '/lib/node_modules/@qwen-code/qwen-code/cli.js']],
  ])('%s: %s %j', (client, name, words) => {
    expect(named(name, ...words)).toBe(client);
  });

  it.each([
    ['node', ['node', 'gemini']],
    ['node', ['node', 'serve.js', 'packages/gemini']],
    ['node', ['node', '/lib/node_modules/@openai/codex/bin/codex.js']],
    ['node', ['node', '-e', '1']],
    ['codex', ['codex', 'app-server']],
    ['codex', ['codex', 'mcp-server']],
    ['claude', ['claude', 'mcp', 'serve']],
    ['opencode', ['opencode', 'serve']],
    ['codex-helper', ['codex-helper']],
  ])('not %s %j', (name, words) => {
    expect(named(name, ...words)).toBeUndefined();
  });
});
