/** The kinds of JSON examples in the documents, each checked by guard's own readers. */
import * as z from 'zod';
import { checkFile } from '../../src/config/check.ts';
import { isObject, type JsonObject } from '../../src/core/json-object.ts';
import { planIn } from '../../src/harness/plan-file.ts';
import { roleIn } from '../../src/harness/role-file.ts';
import { Failure } from '../../src/http/shapes.ts';
import { isGuardServer } from '../../src/install/mcp-server.ts';
import { expectedLine } from '../../src/replay/expectation.ts';
import { parseRecording } from '../../src/replay/recording.ts';
import { readModel } from '../../src/settings/model.ts';
import type { Example } from './json.ts';

interface Kind {
  readonly of: (value: JsonObject, page: string) => boolean;
  /** Everything that is wrong with it. May also throw. */
  readonly wrong: (value: JsonObject, example: Example) => unknown;
}

const has =
  (...names: readonly string[]) =>
  (value: JsonObject): boolean =>
    names.every((name) => name in value);

const onPage =
  (page: string, of: Kind['of']): Kind['of'] =>
  (value, on) =>
    on === page && of(value, on);

/** A complete role, for examples that show only one field. */
const ROLE = { name: 'dev', category: 'worker', prompt: 'x' };

export const KINDS: Readonly<Record<string, Kind>> = {
  'a role': {
    of: has('name', 'category', 'prompt'),
    wrong: (role, { text }) => void roleIn('role.json', String(role['name']), text),
  },
  'a field of a role': {
    of: onPage('docs/harness.md', (value) => Object.keys(value).join() === 'worktree'),
    wrong: (value) => void roleIn('role.json', ROLE.name, JSON.stringify({ ...ROLE, ...value })),
  },
  'a plan': {
    of: has('tasks', 'id'),
    wrong: (_, { text }) => void planIn(text, 'digest'),
  },
  'a refusal over HTTP': {
    of: has('error_code', 'code'),
    wrong: (value) => z.strictObject(Failure.shape).safeParse(value).error,
  },
  "a client's MCP servers": {
    of: has('mcpServers'),
    wrong: ({ mcpServers }) => Object.values(mcpServers as JsonObject).filter((one) => !isGuardServer(one)),
  },
  "a client's settings": {
    of: has('hooks'),
    wrong: (_, { text }) => readModel(text, null).faults,
  },
  'what was expected of an event': {
    of: has('at', 'event', 'decision'),
    wrong(value) {
      const { at, event, tool, ...outcome } = value;
      const played = { at, event, tool, outcome } as unknown as Parameters<typeof expectedLine>[0];
      return Object.keys(value).filter((name) => !(name in expectedLine(played)));
    },
  },
  'a line of a recording': {
    of: onPage('docs/replay.md', () => true),
    wrong: (value) => void parseRecording(JSON.stringify(withEvent(value)), 'recording.jsonl'),
  },
  configuration: {
    of: (value, page) =>
      /^docs\/(?:configuration|fleet|recipes|questions\/teammates)\.md$/.test(page) && !('type' in value),
    wrong: (value) => checkFile(value, 'user').problems,
  },
};

/** Stands in for the parts of an event that an example leaves out. */
const EVENT = { hook_event_name: 'Stop', session_id: 's', cwd: '/repo', transcript_path: '/t.jsonl' };
const withEvent = (value: JsonObject): JsonObject =>
  isObject(value['stdin']) ? { ...value, stdin: { ...EVENT, ...value['stdin'] } } : value;
