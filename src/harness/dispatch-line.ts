/** A line of guard's own in an agent's log, where one run of its session follows another: what comes before it is that one's. Pure. */
import type { Usage } from '../core/drafts.ts';
import { asObject, type JsonObject } from '../core/json-object.ts';
import { isAmount } from './fields.ts';
import { NOTHING_YET, type Progress } from './progress.ts';

/** @param usage of all runs before it */
export const dispatchLine = (dispatch: number, usage: Usage): string =>
  JSON.stringify({ type: 'guard', subtype: 'dispatch', dispatch, usage });

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
