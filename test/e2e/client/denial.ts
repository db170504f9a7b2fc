import type { ToolResult } from './messages.ts';

/** The envelope of a denial, as a model reads it. */
export interface Denial {
  readonly error_type: string;
  readonly message: string;
  readonly details: {
    readonly path: string;
    readonly next?: readonly string[];
    readonly also?: readonly string[];
    readonly holder?: string;
    readonly [fact: string]: unknown;
  };
  readonly recovery_hint: string;
}

/** The client puts this before the reason (since 2.1.300), and nothing after it. */
const PREFIX = /^(?:PreToolUse:\w+ hook error: )?(?=\{)/;

/** Parses a tool result as a denial; throws with its text if it is not one. */
export function denialOf(result: ToolResult | undefined): Denial {
  const text = result?.text ?? '';
  if (result?.is_error !== true || !PREFIX.test(text))
    throw new Error(`not a denial: ${JSON.stringify(result)}`);
  const json = text.replace(PREFIX, '').replace(/\n\n<system-reminder>[\s\S]*$/, '');
  return JSON.parse(json) as Denial;
}

export function isDenied(result: ToolResult | undefined): boolean {
  return result?.is_error === true && PREFIX.test(result.text);
}

/** The lock command that a denial tells the agent to run, verbatim. */
export function lockCommandOf(denial: Denial): string {
  const command = (denial.details.next ?? []).find((step) => / lock (try|wait) /.test(step));
  if (command === undefined) throw new Error(`no lock command in ${JSON.stringify(denial)}`);
  return command;
}

/** The part of a denial that says how to ask the holder, with the path and holder from its details. */
export const howToAsk = ({ recovery_hint, details }: Denial): string =>
  (/\bask: (.*)$/i.exec(recovery_hint)?.[1] ?? '')
    .replace(/\b(?:HOLDER|WHO)\b/, details.holder ?? '')
    .replace('FILE', details.path);
