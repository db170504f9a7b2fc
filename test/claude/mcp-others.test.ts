/** MCP tools not known as writers: denied only for a file that another agent holds. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toolOnlyLooks } from '../../src/claude/mcp/names.ts';
import { hookTable } from '../../src/install/entries.ts';
import { matcherMatches } from '../../src/install/matcher.ts';
import { expectEnvelope, scratch, working } from './driver.ts';
import { ORDINARY } from './mcp-ordinary.ts';

const files = { 'a.txt': 'one\n', 'src/b.ts': 'b\n', 'page.png': 'png' };

function held() {
  const at = scratch({ files });
  const [holder, agent] = [working(at), working(at)];
  holder.lock('a.txt', 'src/b.ts');
  return { at, holder, agent };
}

describe('a tool whose argument names a file that another agent holds', () => {
  it.each([
    ['path', 'mcp__x__transform', (root: string) => ({ path: `${root}/a.txt` })],
    ['a relative path', 'mcp__x__transform', () => ({ relative_path: 'src/b.ts' })],
    ['a uri', 'mcp__x__apply', (root: string) => ({ uri: `file://${root}/a.txt` })],
    ['a list', 'mcp__x__format', () => ({ files: ['c.txt', 'src/b.ts'] })],
    ['a list of objects', 'mcp__x__commit_files', () => ({ files: [{ path: 'a.txt', content: 'x' }] })],
    [
      'a destination',
      'mcp__x__download',
      (root: string) => ({ url: 'https://x.invalid/a', destination: `${root}/a.txt` }),
    ],
    ['a camel-case name', 'mcp__x__export', (root: string) => ({ outputPath: `${root}/a.txt` })],
    ['an object inside', 'mcp__x__run', (root: string) => ({ options: { file_path: `${root}/a.txt` } })],
    ['a name that finds and replaces', 'mcp__x__find_and_replace', () => ({ path: 'a.txt' })],
  ])('by %s is denied with its holder', (_, tool, input) => {
    const { at, holder, agent } = held();
    const denial = expectEnvelope(agent.pre(agent.call(tool, { ...input(at.root) })));
    expect(denial).toMatchObject({ error_type: 'LOCKED_BY_OTHER', details: { holder: holder.name } });
    expect(at.log('write.rejected')).toMatchObject([{ agent: agent.name, tool }]);
    // The holder is allowed, and so is every agent once the file is free.
    expect(holder.pre(holder.call(tool, { ...input(at.root) })).exit).toBe(0);
    holder.end();
    expect(agent.pre(agent.call(tool, { ...input(at.root) })).exit).toBe(0);
    expect(at.log('intent')).toEqual([]);
  });

  it('by a name that leads through a process, or a link to one, is denied for that name', () => {
    const { at, agent } = held();
    fs.symlinkSync('/proc/self/cwd', at.path('here'));
    const code = (path: string) =>
      expectEnvelope(agent.pre(agent.call('mcp__x__transform', { path }))).details['code'];
    expect([code('/proc/self/cwd/a.txt'), code(at.path('here/a.txt'))]).toEqual([
      'GUARD_ERR_PATH',
      'GUARD_ERR_PATH',
    ]);
    // A string that cannot name a file of the repository is not guard's concern.
    for (const path of ['x'.repeat(300), '/proc/meminfo', '/dev/null'])
      expect(agent.pre(agent.call('mcp__x__transform', { path })).exit).toBe(0);
  });

  it('is denied over a reservation, and while a write is in flight', () => {
    const at = scratch({ files });
    const [holder, agent] = [working(at), working(at)];
    holder.guard('reserve', 'src/**', '--reason', 'refactoring');
    const call = (path: string) => agent.pre(agent.call('mcp__x__transform', { path: at.path(path) }));
    expect(expectEnvelope(call('src/b.ts')).error_type).toBe('LOCKED_BY_OTHER');
    expect(call('a.txt').exit).toBe(0);
  });

  it.each([
    'mcp__x__read_page',
    'mcp__x__getFile',
    'mcp__x__list_symbols',
    'mcp__x__show',
    'mcp__locks__reserve_paths',
  ])('passes where it is called %s', (tool) => {
    const { at, agent } = held();
    expect(agent.pre(agent.call(tool, { path: at.path('a.txt') })).exit).toBe(0);
  });

  it('passes where the file is one of a hosted repository', () => {
    const { agent } = held();
    const input = { owner: 'o', repo: 'r', branch: 'b', files: [{ path: 'a.txt', content: 'x' }] };
    expect(agent.pre(agent.call('mcp__github__push_files', input)).exit).toBe(0);
  });
});

describe('ordinary calls of MCP servers', () => {
  it(`pass, all ${ORDINARY.length} of them, in a repository that requires locks, with others at work`, () => {
    const { at, agent } = held();
    const asked = ORDINARY.filter(([tool]) =>
      (hookTable('HOOK', 'all')['PreToolUse'] ?? []).some(({ matcher = null }) =>
        matcherMatches(matcher, tool),
      ),
    );
    expect([ORDINARY.length >= 60, asked.length > 20]).toEqual([true, true]);
    const told: string[] = [];
    for (const [tool, input] of asked) {
      const here = JSON.parse(JSON.stringify(input).replaceAll('ROOT', at.root)) as Record<string, unknown>;
      const answer = agent.pre(agent.call(tool, here));
      if (answer.exit !== 0 || answer.stdout + answer.stderr !== '')
        told.push(`${tool}: ${answer.stdout}${answer.stderr}`);
    }
    expect(told).toEqual([]);
  });

  it('reach guard at most once each, and not at all where they only look', () => {
    const groups = hookTable('HOOK', 'all')['PreToolUse'] ?? [];
    for (const [tool] of ORDINARY) {
      const times = groups.filter(({ matcher = null }) => matcherMatches(matcher, tool)).length;
      expect([tool, times <= 1]).toEqual([tool, true]);
      if (times === 0) expect([tool, toolOnlyLooks(tool)]).toEqual([tool, true]);
    }
  });
});
