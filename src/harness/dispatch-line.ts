/** A line of guard's own in an agent's log, where one run of its session follows another: what comes before it is that one's. Pure. */
import type { DraftState, Usage } from '../core/drafts.ts';
import { asObject, type JsonObject } from '../core/json-object.ts';
import { isAmount } from './fields.ts';
import { NOTHING_YET, type Progress } from './progress.ts';

/** @param usage of all runs before it */
export const dispatchLine = (dispatch: number, usage: Usage): string =>
  JSON.stringify({ type: 'guard', subtype: 'dispatch', dispatch, usage });

/** A log up to the newest run, which may have ended before it could write its line: what those before it said is not its. */
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

/** Nothing yet, but for what was used up before. */
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
