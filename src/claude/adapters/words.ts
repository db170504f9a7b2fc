/** Answers in the form that other clients accept: a denial keeps its form, and its steps name the client's own tools. */
import { parsedObject } from '../../core/json-object.ts';
import { asFields, asText, type Fields } from '../fields.ts';
import { deny, type HookOutput } from '../output.ts';
import type { Denial } from '../../core/denial.ts';

/** The step that replaces Claude's Read. */
export type Reads = (path: string) => string;

/** A denial has one form that every client accepts (output.ts); `own` converts the rest of an answer to the client's form. */
export function inHostsWords(
  output: HookOutput,
  reads: Reads,
  own: (said: Fields) => Fields | null,
): HookOutput {
  const said = parsedObject(output.stdout);
  const reason = asText(said['permissionDecisionReason']);
  if (output.exit === 2) return reason === '' ? output : deny(inWords(reason, reads));
  const answer = own(asFields(said['hookSpecificOutput']));
  return { ...output, stdout: answer === null ? '' : `${JSON.stringify(answer)}\n` };
}

const AGAIN = /^Read (.*?) again(?:, with offset and limit.*)?$/;

function inWords(reason: string, reads: Reads): Denial {
  const denial = JSON.parse(reason) as Denial;
  const { next, ...rest } = denial.details as { readonly next?: readonly string[] };
  const steps = next?.map((step) => step.replace(AGAIN, (_, path: string) => reads(path)));
  return {
    ...denial,
    details: { ...rest, ...(steps === undefined ? {} : { next: steps }) },
  };
}

/** Claude's own form, reduced to the added context, because some clients refuse unknown fields. */
export function contextOnly(events: readonly string[]): (said: Fields) => Fields | null {
  return ({ hookEventName, additionalContext }) =>
    additionalContext === undefined || !events.includes(asText(hookEventName))
      ? null
      : { hookSpecificOutput: { hookEventName, additionalContext } };
}
