import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { READER_NAMES, WRITER_NAMES } from '../../src/claude/tools.ts';
import { isFailClosed } from '../../src/install/command.ts';
import { hookTable, type McpNames } from '../../src/install/entries.ts';
import { matcherMatches } from '../../src/install/matcher.ts';
import { knownEvents } from '../../src/settings/hook-shapes.ts';
import { readModel } from '../../src/settings/model.ts';
import { STATIC_FILES } from '../../src/install/static-files.ts';
import { json, PACKAGE, plainEnv, run } from './scratch.ts';

const lines = (events: 'known' | 'all', mcp?: McpNames) =>
  Object.entries(hookTable('HOOK', events, mcp)).flatMap(([event, groups]) =>
    groups.flatMap(({ matcher = null, hooks }) => hooks.map((hook) => ({ event, matcher, ...hook }))),
  );

describe('the hook entries', () => {
  it('of static files name only events that every client knows', () => {
    expect(
      Object.keys(hookTable('HOOK', 'known')).filter((event) => !knownEvents('old').includes(event)),
    ).toEqual([]);
    expect(Object.keys(hookTable('HOOK', 'all')).sort()).toEqual(
      [
        ...[
          'PreToolUse',
          'PostToolUse',
          'PostToolUseFailure',
          'PostToolBatch',
          'SessionStart',
          'UserPromptSubmit',
        ],
        ...['SubagentStart', 'SubagentStop', 'Stop', 'StopFailure', 'ConfigChange', 'SessionEnd'],
        'PermissionRequest',
      ].sort(),
    );
  });

  it('are valid for the client', () => {
    const text = JSON.stringify({ hooks: hookTable('HOOK', 'all', { readers: ['mcp__a__b'], writers: [] }) });
    expect(['2.1.330', '2.1.200', null].map((version) => readModel(text, version).faults)).toEqual([
      [],
      [],
      [],
    ]);
  });

  it('deny a write that could not be judged, and nothing else', () => {
    for (const { event, matcher, command, onFailure } of lines('all', {
      readers: ['mcp__a__r'],
      writers: ['mcp__a__w'],
    })) {
      const isWrite =
        event === 'PreToolUse' &&
        ['Write', 'mcp__a__w', 'mcp__fs__edit_file'].some((tool) => matcherMatches(matcher, tool));
      expect([event, matcher, isFailClosed(command), onFailure]).toEqual([
        event,
        matcher,
        isWrite,
        isWrite ? 'block' : undefined,
      ]);
    }
  });

  it('give every hook 60 seconds, and the end of a session 5', () => {
    expect(
      new Set(
        lines('all').map(({ event, timeout }) => (event === 'SessionEnd' ? `end ${timeout}` : timeout)),
      ),
    ).toEqual(new Set([60, 'end 5']));
  });

  it.each([...WRITER_NAMES, 'Bash', ...READER_NAMES])('see %s once before or after it runs', (tool) => {
    const seen = (event: string) =>
      lines('all').filter((line) => line.event === event && matcherMatches(line.matcher, tool)).length;
    expect(seen('PreToolUse')).toBe(READER_NAMES.includes(tool) ? 0 : 1);
    expect([seen('PostToolUse'), seen('PostToolUseFailure')]).toEqual([1, 1]);
  });

  it.each(['TodoWrite', 'Grep', 'WebFetch', 'mcp__db__list_tables', 'NotebookRead', 'BashOutput'])(
    'leave %s alone',
    (tool) => {
      const toolEvents = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure'];
      expect(
        lines('all').filter(
          ({ event, matcher }) => toolEvents.includes(event) && matcherMatches(matcher, tool),
        ),
      ).toEqual([]);
    },
  );
});

describe('a call that waits for a subagent', () => {
  it.each(['Agent', 'Task'])('%s is seen before and after, once each', (tool) => {
    const seen = lines('all').filter(
      ({ event, matcher }) => event.includes('ToolUse') && matcherMatches(matcher, tool),
    );
    expect(seen.map(({ event }) => event)).toEqual(['PreToolUse', 'PostToolUse', 'PostToolUseFailure']);
  });
});

describe('MCP tools of the configuration', () => {
  const mcp = { readers: ['mcp__fs__read'], writers: ['mcp__my-fs__write', 'mcp__other__*'] };
  const seen = (event: string, tool: string) =>
    lines('all', mcp).filter((line) => line.event === event && matcherMatches(line.matcher, tool)).length;

  it.each([
    ['mcp__my-fs__write', 1, 1],
    ['mcp__other__put', 1, 1],
    ['mcp__fs__read', 0, 1],
    ['mcp__db__read_all', 0, 0],
    ['mcp__db__write2', 1, 0],
    ['xmcp__other__put', 0, 0],
    ['TodoWrite', 0, 0],
    ['Write', 1, 1],
  ])('%s: %d before, %d after', (tool, before, after) => {
    expect([seen('PreToolUse', tool), seen('PostToolUse', tool)]).toEqual([before, after]);
  });
});

describe('the tools that draft, await and kill agents', () => {
  const seen = (tool: string, mcp?: McpNames) =>
    lines('known', mcp).flatMap((line) =>
      matcherMatches(line.matcher, tool) && line.matcher !== null ? [line] : [],
    );

  it.each(['mcp__guard-harness__', 'mcp__plugin_guard_guard-harness__'])(
    'are signed before they run, as %s…, once, and run where the hook failed',
    (server) => {
      for (const tool of ['draft_agent', 'await_agent', 'kill_agent', 'message_agent'])
        expect(seen(`${server}${tool}`)).toMatchObject([
          { event: 'PreToolUse', command: 'HOOK' },
          // A waiting agent counts as working until the call ends.
          ...(tool === 'await_agent' ? [{ event: 'PostToolUse', command: 'HOOK' }] : []),
        ]);
      for (const tool of ['list_agents', 'list_tasks', 'get_task_context'])
        expect(seen(`${server}${tool}`)).toEqual([]);
    },
  );

  it('are signed under the key that the repository gives guard’s server', () => {
    expect(seen('mcp__team__draft_agent')).toHaveLength(1);
    const mcp = { readers: [], writers: [], own_servers: ['guard', 'team'] };
    expect(seen('mcp__team__draft_agent', mcp)).toHaveLength(1);
    expect(seen('mcp__guard-harness__draft_agent', mcp)).toHaveLength(1);
  });

  it('of a server that only sounds like it are asked about as any MCP tool is', () => {
    for (const server of ['guard-harness2', 'my-guard-harness', 'other'])
      expect(seen(`mcp__${server}__draft_agent`)).toMatchObject([{ event: 'PreToolUse', command: 'HOOK' }]);
  });
});

describe('files of the package that are made from the table', () => {
  it.each(Object.keys(STATIC_FILES))('%s is up to date', (name) => {
    expect(json(join(PACKAGE, name))).toEqual(STATIC_FILES[name]);
  });

  it('are written by scripts/hook-files.mjs, which agrees', () => {
    const ran = run(process.execPath, [join(PACKAGE, 'scripts', 'hook-files.mjs'), '--check'], {
      cwd: PACKAGE,
      env: plainEnv('/'),
    });
    expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('carry the version of the package in the plugin manifest', () => {
    const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(json(join(PACKAGE, '.claude-plugin', 'plugin.json'))).toMatchObject({ name: 'guard', version });
  });
});
