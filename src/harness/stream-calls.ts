/** Tool calls in a client's stream: made, answered, refused. Pure. */
import { asList, asObject, asText, isObject, type JsonObject } from '../core/json-object.ts';
import { rulesFor } from './not-allowed.ts';
import type { Progress } from './progress.ts';

/** No one is there to answer it, so clients refuse it in one way or another. */
const ASKING = 'AskUserQuestion';

export function callMade(at: Progress, block: JsonObject, is_own: boolean): Progress {
  const tool = asText(block['name']);
  // A model may call a tool named `constructor`.
  const before = Object.hasOwn(at.usage.tools, tool) ? at.usage.tools[tool] : 0;
  const tools = { ...at.usage.tools, [tool]: (before ?? 0) + 1 };
  const counted = {
    ...at,
    usage: { ...at.usage, tools },
    open: { ...at.open, [asText(block['id'])]: { tool, input: asObject(block['input']) } },
  };
  if (!is_own) return counted;
  const call = `${tool} ${JSON.stringify(block['input'] ?? null)}`;
  return { ...counted, call, repeats: call === at.call ? at.repeats + 1 : 1 };
}

export function callAnswered(before: Progress, event: JsonObject): Progress {
  const results = asList(asObject(event['message'])['content'])
    .map(asObject)
    .filter(({ type }) => type === 'tool_result');
  const metas = asList(event['tool_result_meta']).map(asObject);
  const hooked = results.filter((result) => isByHook(result, metas)).map(idOf);
  const at = { ...before, by_hooks: [...before.by_hooks, ...hooked] };
  const failed = results.filter(({ is_error }) => is_error === true).map(idOf);
  const asked = failed.flatMap((id) => (at.open[id]?.tool === ASKING ? questionsIn(at.open[id].input) : []));
  const ids = results.map(idOf);
  const open = Object.fromEntries(Object.entries(at.open).filter(([id]) => !ids.includes(id)));
  return { ...at, open, asked: together(at.asked, asked) };
}

const idOf = (result: JsonObject): string => asText(result['tool_use_id']);

/** Clients before 2.1.300 say so only in the text. */
function isByHook(result: JsonObject, metas: readonly JsonObject[]): boolean {
  const meta = metas.find(({ id }) => id === result['tool_use_id']);
  if (asObject(meta?.['permission_decision'])['source'] === 'hook') return true;
  return result['is_error'] === true && /^PreToolUse:\S+ hook /.test(asText(result['content']));
}

/** A call that its role does not allow. @param input the reported input; if absent, the input of the call itself */
export function callRefused(at: Progress, id: string, tool: string, input?: JsonObject): Progress {
  if (at.by_hooks.includes(id) || Object.hasOwn(at.refused, id)) return at;
  const given = input ?? (Object.hasOwn(at.open, id) ? at.open[id]?.input : undefined) ?? {};
  if (tool === ASKING) return { ...at, asked: together(at.asked, questionsIn(given)) };
  const rules = rulesFor(tool, given).map((rule) => [tool, rule] as const);
  return { ...at, refused: { ...at.refused, [id]: rules } };
}

const questionsIn = (input: JsonObject): string[] =>
  asList(input['questions'])
    .filter(isObject)
    .map(({ question }) => asText(question))
    .filter((question) => question !== '');

const together = (one: readonly string[], other: readonly string[]): readonly string[] =>
  other.length === 0 ? one : [...new Set([...one, ...other])];

/** Such a call looks like silence, but has its own limit. */
const WAITS = /__(?:await_agent|lock_wait)$/;
export const isWaiting = ({ open, retry }: Pick<Progress, 'open' | 'retry'>): boolean =>
  retry !== null || Object.values(open).some(({ tool }) => WAITS.test(tool));
