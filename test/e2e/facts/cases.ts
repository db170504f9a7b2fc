import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Payload, recorded, recordEvents } from '../client/record.ts';
import { say, type Turn, use } from '../client/scenario.ts';
import type { Scratch } from '../client/scratch.ts';
import type { Stage } from '../client/stage.ts';

/**
 * One tool call on one file, and what the recorded client did with it. Bytes are base64, `null` if there is no file.
 * `/repo` stands for the repository. A call that failed validation has no `pre_input` (no PreToolUse) but
 * `refused`; one that failed later has `error` (PostToolUseFailure).
 */
export interface Case {
  readonly name: string;
  readonly before: string | null;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly read_first?: boolean;
  readonly after?: string | null;
  readonly pre_input?: unknown;
  readonly response?: unknown;
  readonly error?: string;
  readonly refused?: string;
}

const FOLDER = join(import.meta.dirname, '../../fixtures/client');

export function casesOf(file: string): readonly Case[] {
  return JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Case[];
}

/** Saves what was found as the new recording: for a newer client, after reviewing the difference. */
export function keepCases(file: string, cases: readonly Case[]): void {
  const lines = cases.map((one) => JSON.stringify(one));
  writeFileSync(join(FOLDER, file), `[\n${lines.join(',\n')}\n]\n`);
}

/** All cases in one session of the real client, with one file each. */
export async function replayCases(stage: Stage, cases: readonly Case[]): Promise<readonly Case[]> {
  const scratch = stage.scratch();
  const calls = cases.map((one) => ({
    one,
    input: here(one.input, scratch),
    file: here(fileOf(one), scratch),
  }));
  for (const { one, file } of calls) {
    if (one.before !== null)
      scratch.write(file.slice(scratch.repo.length + 1), Buffer.from(one.before, 'base64'));
  }
  recordEvents(scratch, { permissions: { allow: ['Read', 'Edit', 'Write', 'NotebookEdit'] } });
  const ids: string[] = [];
  const turns = calls.flatMap(({ one, input, file }): Turn[] => [
    ...(one.read_first === true ? [use('Read', { file_path: file })] : []),
    (seen) => {
      ids.push(`toolu_${seen.marker}_${seen.step}_0`);
      return use(one.tool, input);
    },
  ]);
  await stage.play(
    scratch,
    { all: [use('ToolSearch', { query: 'select:NotebookEdit' }), ...turns, say('Done.')] },
    { prompt: '[[all]] Go.' },
  );
  const events = recorded(scratch).map(({ event }) => event);
  return calls.map(({ one, file }, index) => outcome(one, file, ids[index] ?? '', events, scratch));
}

function outcome(one: Case, file: string, id: string, events: readonly Payload[], scratch: Scratch): Case {
  const of = (name: string): Payload | undefined =>
    events.find((event) => event.hook_event_name === name && event.tool_use_id === id);
  const { name, before, tool, input, read_first } = one;
  const found = {
    ...{ name, before, tool, input, read_first },
    after: existsSync(file) ? readFileSync(file).toString('base64') : null,
    pre_input: of('PreToolUse')?.tool_input,
    response: of('PostToolUse')?.tool_response,
    error: of('PostToolUseFailure')?.['error'],
    refused: of('PreToolUse') === undefined ? refusal(events, id) : undefined,
  };
  return there(found, scratch) as Case;
}

/** Only PostToolBatch reports a call that failed validation. */
function refusal(events: readonly Payload[], id: string): unknown {
  const calls = events.flatMap(
    (event) => (event['tool_calls'] ?? []) as { tool_use_id: string; tool_response: unknown }[],
  );
  return calls.find(({ tool_use_id }) => tool_use_id === id)?.tool_response;
}

function fileOf({ input }: Case): string {
  return String(input['file_path'] ?? input['notebook_path']);
}

function here<T>(value: T, scratch: Scratch): T {
  return JSON.parse(JSON.stringify(value).replaceAll('"/repo', `"${scratch.repo}`)) as T;
}

function there(value: unknown, scratch: Scratch): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(scratch.repo, '/repo')) as unknown;
}
