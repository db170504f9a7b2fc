import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Scratch } from './scratch.ts';
import { clientHas } from './stage.ts';

/** The recording hook's answer to an event; it stays silent if no row matches. */
export interface HookAnswer {
  readonly event: string;
  readonly tool?: string;
  /** A text that the payload must contain. */
  readonly says?: string;
  readonly exit?: number;
  readonly stdout?: unknown;
  readonly stderr?: string;
}

export interface Payload {
  readonly hook_event_name: string;
  readonly tool_name?: string;
  readonly tool_use_id?: string;
  readonly agent_id?: string;
  readonly session_id: string;
  readonly prompt?: string;
  readonly tool_input?: Readonly<Record<string, unknown>>;
  readonly tool_response?: unknown;
  readonly [field: string]: unknown;
}

export interface Recorded {
  readonly at_ms: number;
  readonly event: Payload;
  readonly env: Readonly<Record<string, string>>;
}

/** Events that every client knows; older clients ignore the whole settings file if it has an unknown event. */
const OLD_EVENTS = [
  ...['PreToolUse', 'PostToolUse', 'SessionStart', 'UserPromptSubmit', 'Stop', 'SubagentStop'],
  ...['SessionEnd', 'PreCompact', 'Notification'],
];

const EVENTS = [
  ...[
    'SessionStart',
    'SessionEnd',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PostToolBatch',
  ],
  ...[
    'SubagentStart',
    'SubagentStop',
    'Stop',
    'StopFailure',
    'ConfigChange',
    'PreCompact',
    'PostCompact',
    'PermissionRequest',
    'PermissionDenied',
  ],
];

/** Project settings with one recording hook for every event, plus `settings`. */
export function recordHooks(
  scratch: Scratch,
  answers: readonly HookAnswer[] = [],
  settings: Readonly<Record<string, unknown>> = {},
): void {
  const table = join(scratch.root, 'answers.json');
  writeFileSync(table, JSON.stringify(answers));
  const command = [
    process.execPath,
    join(import.meta.dirname, 'record-hook.mjs'),
    recordOf(scratch),
    table,
  ].join(' ');
  register(scratch, command, settings);
}

/** For hundreds of events: only what happened, from a shell, which takes a tenth of the processor time of Node. */
export function recordEvents(scratch: Scratch, settings: Readonly<Record<string, unknown>>): void {
  register(scratch, `printf '{"event":%s}\\n' "$(cat)" >> '${recordOf(scratch)}'`, settings);
}

function register(scratch: Scratch, command: string, settings: Readonly<Record<string, unknown>>): void {
  const hooks = Object.fromEntries(
    (clientHas('unknown_events') ? EVENTS : OLD_EVENTS).map((event) => [
      event,
      [{ hooks: [{ type: 'command', command }] }],
    ]),
  );
  scratch.write('.claude/settings.json', JSON.stringify({ ...settings, hooks }, null, 2));
}

export function recorded(scratch: Scratch): readonly Recorded[] {
  if (!existsSync(recordOf(scratch))) return [];
  const lines = readFileSync(recordOf(scratch), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Recorded);
}

function recordOf(scratch: Scratch): string {
  return join(scratch.root, 'events.jsonl');
}
