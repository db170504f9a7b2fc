/** Calls of commands whose `--json` answers docs/commands.md describes, as an agent or a person would make them. */
import { join } from 'node:path';

import { oneAgent, PACKAGE, type Scratch, scratch } from '../claude/driver.ts';
import type { Command } from '../claude/driver/scratch.ts';

/** Answers by the command's section on the page. */
export type Answers = ReadonlyMap<string, readonly object[]>;

/** Outlines whose answers need a client, a database or a running server, by the test that checks them. */
export const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'test/harness, test/mcp/harness.test.ts': [
    ...['{"agentId","role"', '{"status","result"', '{"status","agents"', '{"plan"', '{"agentId","branch"'],
    ...['{"success","message"}', '{"role","task","doing"}', '{"role","setup"'],
  ],
  'test/cli/commands/fleet.test.ts': [
    ...['{"repository","schema"', '{"left"}', '{"schema"}', '{"repositories"', '{"rules"', '{"operations"'],
    '{"repository","round_trip_ms"',
  ],
  'test/http/serving.test.ts': ['{"project","url"'],
  'test/cli/commands/off.test.ts': ['{"off"'],
  'test/cli/watch.test.ts': ['{"at","kind"'],
  'test/cli/commands/doctor.test.ts': ['{"healthy"'],
  'test/cli/lock.test.ts': ['{"since_read"'],
  'test/cli/unjoined.test.ts': ['{"pid"'],
  'test/cli/status.test.ts': ['{"agent","op"', '{"checkout"'],
};

const fileOf = (at: Scratch, name: string): string => join(at.root, name);

export function answersOfAll(): Answers {
  const answers = new Map<string, object[]>();
  const keep = (section: string, command: Command): void => {
    answers.set(section, [...(answers.get(section) ?? []), jsonOf(section, command)]);
  };
  story((at, ...words) => keep(words[0] ?? '', at.guard(...words, '--json')));
  return answers;
}

type Ask = (at: Scratch, ...words: readonly string[]) => void;

function story(ask: Ask): void {
  const fresh = scratch({ init: null, fresh: true });
  ask(fresh, 'init', '--dry-run');
  ask(fresh, 'lock', 'try');
  const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n', 'b.txt': 'one\n' } });
  agent.read('a.txt');
  agent.lock('a.txt');
  agent.edit('a.txt', 'one', 'two');
  agent.write('b.txt', 'never read\n');
  const me = ['--agent', agent.name];
  ask(at, 'join', '--name', 'ann', ...me);
  ask(at, 'status');
  ask(at, 'deadlock');
  ask(at, 'verify');
  ask(at, 'blame', 'a.txt');
  ask(at, 'undo');
  ask(at, 'undo', 'a.txt', '--dry-run');
  ask(at, 'explain', '--last');
  at.put(
    'event.json',
    JSON.stringify(
      agent.payload('PreToolUse', {
        tool_name: 'Write',
        tool_use_id: 't',
        tool_input: { file_path: fileOf(at, 'b.txt'), content: 'x' },
      }),
    ),
  );
  ask(at, 'explain', 'event.json');
  ask(at, 'check', '--staged');
  ask(at, 'statusline');
  ask(at, 'forecast');
  ask(at, 'role', 'list');
  ask(at, 'task', 'create', 'search', '--description', 'Search.');
  ask(at, 'task', 'list');
  ask(at, 'task', 'context', 'search');
  for (const what of ['list', 'changes', 'prune', 'stats']) ask(at, 'agent', what);
  ask(at, 'simulate', join(PACKAGE, 'test/fixtures/transcripts'), '--cost');
  ask(at, 'lock', 'release', '--all-held', ...me);
  ask(at, 'leave', ...me);
  ask(at, 'serve', '--stop');
  ask(at, 'compact');
  ask(at, 'compact', '--if-due');
  at.git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-q', '--allow-empty', '-m', 'x');
  ask(at, 'worktree', 'add', 'there');
  ask(at, 'uninstall', '--dry-run');
}

function jsonOf(section: string, command: Command): object {
  try {
    return command.json() as object;
  } catch (error) {
    throw new Error(`${section}: ${command.stdout}${command.stderr}`, { cause: error });
  }
}
