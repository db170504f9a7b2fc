/** The line that guard writes to an agent's log between two runs of its session; all before it is the earlier runs'. Pure. */
import type { DraftState, Usage } from '../core/drafts.ts';
import { asObject, type JsonObject } from '../core/json-object.ts';
import { isAmount } from './fields.ts';
import { NOTHING_YET, type Progress } from './progress.ts';

type Begins = Pick<DraftState, 'dispatch' | 'usage' | 'retry'>;

/** `usage` is that of all earlier runs. A run that retries after a failure of the API has the same work to do as the one before. */
export const dispatchLine = ({ dispatch = 1, usage, retry }: Begins): string =>
  JSON.stringify({
    type: 'guard',
    subtype: 'dispatch',
    dispatch,
    usage,
    ...(retry != null && { is_retry: true }),
  });

/** The log up to the newest run, with that run's line added if it ended before writing it: earlier output is not its own. */
export function* upToRun(lines: Iterable<string>, draft: Begins): Generator<string> {
  const own = dispatchLine(draft);
  const beginning = own.slice(0, own.indexOf(',"usage"'));
  let has_begun = (draft.dispatch ?? 1) === 1;
  for (const line of lines) {
    has_begun ||= line.startsWith(beginning);
    yield line;
  }
  if (!has_begun) yield own;
}

/** No progress yet, except for what earlier runs have used, and for what a person must still allow or answer after a retry. */
export function dispatched({ spending: { prices }, refused, asked }: Progress, event: JsonObject): Progress {
  const { turns, cost_usd, tools } = asObject(event['usage']);
  const before_usd = isAmount(cost_usd) ? cost_usd : 0;
  return {
    ...NOTHING_YET,
    ...(event['is_retry'] === true ? { refused, asked } : {}),
    usage: {
      turns: isAmount(turns) ? turns : 0,
      cost_usd: before_usd,
      tools: asObject(tools) as Usage['tools'],
    },
    spending: { said_usd: before_usd, before_usd, guessed_usd: 0, calls: [], prices },
  };
}
