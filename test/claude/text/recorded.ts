import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FIXTURES = join(import.meta.dirname, '../../fixtures');

/** One tool call of the real client on one file (recorded by test/e2e/facts). Content is null if there is no file. */
export interface RecordedCall {
  readonly name: string;
  readonly tool: string;
  readonly input: unknown;
  readonly before: Buffer | null;
  readonly after: Buffer | null;
  readonly response: Readonly<Record<string, unknown>>;
}

interface Stored {
  readonly name: string;
  readonly tool: string;
  readonly before: string | null;
  readonly after?: string | null;
  readonly pre_input?: unknown;
  readonly response?: Readonly<Record<string, unknown>>;
}

const bytesOf = (base64: string | null | undefined): Buffer | null =>
  typeof base64 === 'string' ? Buffer.from(base64, 'base64') : null;

function callsIn(file: string, title: string): readonly RecordedCall[] {
  const stored = JSON.parse(readFileSync(join(FIXTURES, file), 'utf8')) as readonly Stored[];
  // Refused and failed calls have no response.
  return stored.flatMap(({ name, tool, before, after, pre_input, response }) =>
    response
      ? [
          {
            name: `${title} ${name}`,
            tool,
            input: pre_input,
            response,
            before: bytesOf(before),
            after: bytesOf(after),
          },
        ]
      : [],
  );
}

/** Calls recorded with client 2.1.330. */
export const recordedCalls = (): readonly RecordedCall[] =>
  ['encodings', 'edits', 'reads'].flatMap((file) => callsIn(`client/${file}.json`, `${file}:`));

export const OLD_VERSIONS = ['2.0.77', '2.1.50', '2.1.100', '2.1.200'] as const;

/** The same calls in older clients, with every file read first and without large files. */
export const oldCalls = (version: (typeof OLD_VERSIONS)[number]): readonly RecordedCall[] =>
  callsIn(`client-old/${version}.json`, version);

export interface Payload {
  readonly name: string;
  readonly tool_name: string;
  readonly tool_input: unknown;
  readonly tool_response: Readonly<Record<string, unknown>>;
}

/** Recorded PostToolUse payloads of every version: 2.0.77, 2.1.50 and 2.1.330. */
export function postToolUse(tool: string): readonly Payload[] {
  const dir = join(FIXTURES, 'payloads');
  const names = readdirSync(dir).filter((name) => name.includes(`PostToolUse.${tool}`));
  return names.map((name) => ({ ...(JSON.parse(readFileSync(join(dir, name), 'utf8')) as Payload), name }));
}
