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

/** The client puts this before the reason (from 2.1.300 on), and nothing after it. */
const PREFIX = /^(?:PreToolUse:\w+ hook error: )?(?=\{)/;

/** The denial that a tool result is; throws with the text where it is none. */
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

/** The command that a denial tells the agent to run, exactly as it says it. */
export function lockCommandOf(denial: Denial): string {
  const command = (denial.details.next ?? []).find((step) => / lock (try|wait) /.test(step));
  if (command === undefined) throw new Error(`no lock command in ${JSON.stringify(denial)}`);
  return command;
}

/** How a denial says that its holder can be asked, with the path and the holder that its details name. */
export const howToAsk = ({ recovery_hint, details }: Denial): string =>
  (/\bask: (.*)$/i.exec(recovery_hint)?.[1] ?? '')
    .replace(/\b(?:HOLDER|WHO)\b/, details.holder ?? '')
    .replace('FILE', details.path);
