import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FIXTURES = join(import.meta.dirname, '../../fixtures');

/** One tool call of the real client on one file (recorded by test/e2e/facts). Null: no file. */
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

/** The calls that ran; refused and failed ones have no response. */
export function recordedCalls(): readonly RecordedCall[] {
  return ['encodings', 'edits', 'reads'].flatMap((file) => {
    const stored = JSON.parse(
      readFileSync(join(FIXTURES, `client/${file}.json`), 'utf8'),
    ) as readonly Stored[];
    return stored.flatMap(({ name, tool, before, after, pre_input, response }) =>
      response
        ? [
            {
              name: `${file}: ${name}`,
              tool,
              input: pre_input,
              response,
              before: bytesOf(before),
              after: bytesOf(after),
            },
          ]
        : [],
    );
  });
}

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
