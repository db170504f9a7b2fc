/** The line that guard writes to an agent's log between two runs of its session; all before it is the earlier runs'. Pure. */
import type { DraftState, Usage } from '../core/drafts.ts';
import { asObject, type JsonObject } from '../core/json-object.ts';
import { isAmount } from './fields.ts';
import { NOTHING_YET, type Progress } from './progress.ts';

/** @param usage the usage of all earlier runs */
export const dispatchLine = (dispatch: number, usage: Usage): string =>
  JSON.stringify({ type: 'guard', subtype: 'dispatch', dispatch, usage });

/** The log up to the newest run, with that run's line added if it ended before writing it: earlier output is not its own. */
export function* upToRun(
  lines: Iterable<string>,
  { dispatch = 1, usage }: Pick<DraftState, 'dispatch' | 'usage'>,
): Generator<string> {
  const own = dispatchLine(dispatch, usage);
  const beginning = own.slice(0, own.indexOf(',"usage"'));
  let has_begun = dispatch === 1;
  for (const line of lines) {
    has_begun ||= line.startsWith(beginning);
    yield line;
  }
  if (!has_begun) yield own;
}

/** No progress yet, except for what earlier runs have used. */
export function dispatched({ spending: { prices } }: Progress, event: JsonObject): Progress {
  const { turns, cost_usd, tools } = asObject(event['usage']);
  const before_usd = isAmount(cost_usd) ? cost_usd : 0;
  return {
    ...NOTHING_YET,
    usage: {
      turns: isAmount(turns) ? turns : 0,
      cost_usd: before_usd,
      tools: asObject(tools) as Usage['tools'],
    },
    spending: { said_usd: before_usd, before_usd, guessed_usd: 0, calls: [], prices },
  };
}
