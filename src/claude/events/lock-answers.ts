/** The structured answers of lock tools, as clients pass them to hooks. */
import { asList } from '../../core/json-object.ts';
import { attempt } from '../../core/attempt.ts';
import { asFields, asText } from '../input.ts';

export interface LockAnswer {
  readonly filepath: string;
  readonly acquired: boolean | null;
  readonly released: boolean | null;
  readonly holder: string | null;
}

/**
 * `[{type: "text", text}]`, the same below `content`, or the text alone; the text is `{"results": [{filepath, acquired
 * | released, holder}]}`. Anything else yields no answers.
 */
export function answersIn(response: unknown): readonly LockAnswer[] {
  const { results } = asFields(parsed(textIn(response)));
  return asList(results)
    .map(asFields)
    .filter((row) => asText(row['filepath']) !== '')
    .map((row) => ({
      filepath: asText(row['filepath']),
      acquired: asTruth(row['acquired']),
      released: asTruth(row['released']),
      holder: asText(row['holder']) || null,
    }));
}

const asTruth = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);

function textIn(response: unknown): string {
  if (typeof response === 'string') return response;
  const blocks = Array.isArray(response) ? (response as unknown[]) : asFields(response)['content'];
  if (typeof blocks === 'string') return blocks;
  return asList(blocks)
    .map((block) => asText(asFields(block)['text']))
    .join('');
}

const parsed = (text: string): unknown => attempt((): unknown => JSON.parse(text), null);
