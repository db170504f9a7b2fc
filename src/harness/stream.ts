/**
 * Follows a client's stream-json event by event, as far as it shows how an agent is doing. Pure. Unknown events count only
 * as signs of life.
 */
import { attempt } from '../core/attempt.ts';
import { asList, asObject, asText, isObject, type JsonObject } from '../core/json-object.ts';
import { apiErrorIn, retryIn } from './api-trouble.ts';
import { dispatched } from './dispatch-line.ts';
import { isAmount } from './fields.ts';
import { finalBlock } from './final-block.ts';
import { NOTHING_YET, type Progress } from './progress.ts';
import { costOf, type Spending, withCall, withWord } from './spending.ts';
import { callAnswered, callMade, callRefused } from './stream-calls.ts';

type Fields = JsonObject;

/** Never throws: no output may prevent ending the client or recording its end. Nested too deeply to parse, it is a sign of life. */
export const advance = (at: Progress, line: string): Progress => attempt(() => heard(at, line), at);

export function streamProgress(lines: Iterable<string>): Progress {
  let at = NOTHING_YET;
  for (const line of lines) at = advance(at, line);
  return at;
}

/** A part of a message, of which there may be hundreds: read only for the cost of the message, and not logged. */
export const isPartial = (line: string): boolean => line.startsWith('{"type":"stream_event"');
const SAYS_COST = /"type":"message_(?:start|delta)"/;

/** A line that is not JSON comes from a client that cannot start: it is kept as text, unless the client has sent its result. */
function heard(at: Progress, line: string): Progress {
  if (isPartial(line) && !SAYS_COST.test(line)) return at;
  const event = fieldsIn(line);
  // Half an event, where the log was cut short, is not text of the agent.
  if (event === null)
    return /^\s*(?:\{|$)/.test(line) || at.final !== null ? at : { ...at, text: line.trim() };
  const session = asText(event['session_id']) || at.session;
  const next = session === at.session ? at : { ...at, session };
  const kind = asText(event['type']);
  return Object.hasOwn(EVENTS, kind) ? (EVENTS[kind]?.(next, event) ?? next) : next;
}

type Events = Readonly<Record<string, (at: Progress, event: Fields) => Progress>>;

const EVENTS: Events = {
  assistant: said,
  user: (at, event) =>
    event['isReplay'] === true
      ? heardIt(at, asText(event['uuid']))
      : callAnswered({ ...at, retry: null }, event),
  guard: dispatched,
  result: ended,
  stream_event: partly,
  system(at, event) {
    const kind = asText(event['subtype']);
    return Object.hasOwn(SYSTEM, kind) ? (SYSTEM[kind]?.(at, event) ?? at) : at;
  },
};

const SYSTEM: Events = {
  init: (at, event) => ({ ...at, cwd: asText(event['cwd']) }),
  api_retry: (at, event) => ({ ...at, retry: retryIn(event) }),
  permission_denied: (at, event) => callRefused(at, asText(event['tool_use_id']), asText(event['tool_name'])),
  background_tasks_changed: (at, event) => ({
    ...at,
    background: asList(event['tasks']).map((task) => asText(asObject(task)['task_type'])),
  }),
};

function said(before: Progress, event: Fields): Progress {
  const message = asObject(event['message']);
  // The client's own words about an API failure; its result says the same.
  if (message['model'] === '<synthetic>') return before;
  // A subagent's text does not count, but its calls are this agent's.
  const is_own = event['parent_tool_use_id'] === null || event['parent_tool_use_id'] === undefined;
  const id = asText(message['id']);
  const is_new = is_own && id !== before.message;
  const at = spent({ ...before, retry: null, is_idle: false }, message, false);
  const turns = at.usage.turns + (is_new ? 1 : 0);
  const begun = { ...at, message: is_own ? id : at.message, usage: { ...at.usage, turns } };
  return asList(message['content'])
    .map(asObject)
    .reduce<Progress>((now, block) => {
      if (block['type'] === 'tool_use') return callMade(now, block, is_own);
      const text = asText(block['text']);
      return block['type'] === 'text' && is_own && text.trim() !== '' ? withText(now, text) : now;
    }, begun);
}

const HEARD_KEPT = 50;

/** The client repeats a message when the model gets it. The agent has work again, and its questions are answered. */
const heardIt = (at: Progress, id: string): Progress => ({
  ...at,
  ...{ is_idle: false, is_done: false, final: null, asked: [], report: null },
  earlier: at.report ?? at.earlier,
  heard: [...at.heard, id].slice(-HEARD_KEPT),
});

/** The newest report stays, whatever text follows it. */
function withText(at: Progress, text: string): Progress {
  const result = finalBlock(text);
  return { ...at, text, report: result === null ? at.report : { text, result } };
}

function partly(at: Progress, { event, api_message_id }: Fields): Progress {
  const { type, message, usage } = asObject(event);
  if (type === 'message_start') return spent({ ...at, retry: null, is_idle: false }, asObject(message), true);
  const id = asText(api_message_id) || (at.spending.calls.at(-1)?.id ?? '');
  return spent(at, { id, usage }, false);
}

/** A client that sends messages in parts also reports their ends; until then they are open. */
function spent(at: Progress, { id, model, usage }: Fields, is_begun: boolean): Progress {
  if (!isObject(usage)) return at;
  const known = at.spending.calls.find((call) => call.id === id);
  const is_open = is_begun || (known?.is_open === true && model !== undefined);
  return costing(at, withCall(at.spending, { id: asText(id), model: asText(model), usage, is_open }));
}

const costing = (at: Progress, spending: Spending): Progress => {
  const { turns, tools } = at.usage;
  return { ...at, spending, usage: { turns, tools, ...costOf(spending) } };
};

function ended(before: Progress, event: Fields): Progress {
  const at = costing(before, withWord(before.spending, event['total_cost_usd'], event['modelUsage']));
  const turns = event['num_turns'];
  const is_error = event['is_error'] === true;
  const text = asText(event['result']) || asList(event['errors']).map(asText).join('; ');
  const told = is_error || text === '' ? { ...at, text: at.text || text } : withText(at, text);
  const denied = asList(event['permission_denials']).map(asObject);
  return denied.reduce<Progress>(
    (now, { tool_use_id, tool_name, tool_input }) =>
      callRefused(now, asText(tool_use_id), asText(tool_name), asObject(tool_input)),
    {
      ...told,
      ...{ open: {}, retry: null, is_idle: true },
      is_done: at.is_done || (!is_error && told.report !== null),
      usage: { ...at.usage, turns: isAmount(turns) ? Math.max(turns, at.usage.turns) : at.usage.turns },
      final: { is_error, subtype: asText(event['subtype']), text, api_error: apiErrorIn(event, at.retry) },
    },
  );
}

const fieldsIn = (line: string): Fields | null =>
  attempt(() => {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  }, null);
