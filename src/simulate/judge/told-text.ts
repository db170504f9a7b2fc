/** What a call says about its file: what it replaced and what it left, from its result, or from its input if it has none. */
import { intendedText, verifyWrite } from '../../claude/text/expected.ts';
import { normaliseEnds, withoutBom } from '../../claude/text/encoding.ts';
import { writtenBy } from '../../claude/tools.ts';
import type { ToldCall } from '../transcript/happening.ts';

/** LF, without a byte order mark. Null: no file; undefined: unknown. */
export type ToldText = string | null | undefined;

const plainText = (text: string): string => normaliseEnds(withoutBom(text));

const CREATED = /^File created successfully/;

/** The text that the write replaced. */
export function textBefore({ tool, input, result }: ToldCall): ToldText {
  if (result === undefined || result.is_error) return undefined;
  // For a subagent's call there is only the text that the model was shown.
  if (result.response === null) return CREATED.test(result.text) ? null : undefined;
  const { text } = verifyWrite({ tool, input, response: result.response }, null).original;
  if (typeof text === 'string') return plainText(text);
  // It gives `null` both for an existing file that it does not show, and for a file that did not exist.
  return text === null && result.response['type'] === 'create' ? null : undefined;
}

/** The text that the write left. @param before what it replaced, as far as that is known */
export function textLeft({ tool, input, result }: ToldCall, before: ToldText): ToldText {
  if (result?.response != null) return intendedText({ tool, input, response: result.response }) ?? undefined;
  const how = writtenBy(tool);
  if (how === 'cells' || (how !== 'content' && typeof before !== 'string')) return undefined;
  return intendedText({ tool, input, response: { originalFile: before ?? null } }) ?? undefined;
}

/** Refused by the client before any hook was asked. */
export const isClientsOwn = ({ result }: ToldCall): boolean =>
  result?.is_error === true && result.text.trimStart().startsWith('<tool_use_error>');
