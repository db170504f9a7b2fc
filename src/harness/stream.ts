/**
 * A client's stream-json, event by event, as far as it says how an agent is doing. Pure. Unknown events count as signs
 * of life and nothing else.
 */
import { attempt } from '../core/attempt.ts';
import { NO_USAGE, type Usage } from '../core/drafts.ts';
import { asList, asObject, asText, isObject, type JsonObject } from '../core/json-object.ts';
import { isAmount } from './fields.ts';

type Fields = JsonObject;

export interface Progress {
  readonly session: string | null;
  readonly usage: Usage;
  /** Ids of the newest assistant message: its blocks arrive as events of their own, and are one turn. */
  readonly message: string | null;
  /** Tool calls that were made and not answered yet, by id. */
  readonly open: Readonly<Record<string, string>>;
  /** The newest call, and how often in a row it was made. */
  readonly call: string;
  readonly repeats: number;
  /** The newest text of the agent itself. */
  readonly text: string;
  readonly final: Final | null;
}

/** The client's own last word. */
export interface Final {
  readonly is_error: boolean;
  readonly subtype: string;
  readonly text: string;
}

export const NOTHING_YET: Progress = {
  session: null,
  usage: NO_USAGE,
  message: null,
  open: {},
  call: '',
  repeats: 0,
  text: '',
  final: null,
};

/** Never throws: what a client says must not keep anybody from ending it, or from putting its end on record. Nested deeper than can be looked into: a sign of life. */
export const advance = (at: Progress, line: string): Progress => attempt(() => heard(at, line), at);

/** A line that is no JSON is what a client says when it cannot start: it is kept as text, until it has said its last word. */
function heard(at: Progress, line: string): Progress {
  const event = fieldsIn(line);
  if (event === null) return line.trim() === '' || at.final !== null ? at : { ...at, text: line.trim() };
  const session = typeof event['session_id'] === 'string' ? event['session_id'] : at.session;
  const next = { ...at, session };
  // What a subagent says is its own affair, but its calls are this agent's.
  const is_own = event['parent_tool_use_id'] === null || event['parent_tool_use_id'] === undefined;
  if (event['type'] === 'assistant') return said(next, asObject(event['message']), is_own);
  if (event['type'] === 'user') return answered(next, asObject(event['message']));
  if (event['type'] === 'result') return ended(next, event);
  return next;
}

export function streamProgress(lines: Iterable<string>): Progress {
  let at = NOTHING_YET;
  for (const line of lines) at = advance(at, line);
  return at;
}

function said(at: Progress, message: Fields, is_own: boolean): Progress {
  const id = asText(message['id']);
  const is_new = is_own && id !== at.message;
  const turns = at.usage.turns + (is_new ? 1 : 0);
  const begun = { ...at, message: is_own ? id : at.message, usage: { ...at.usage, turns } };
  return blocksOf(message).reduce<Progress>((now, block) => {
    if (block['type'] === 'tool_use') return called(now, block, is_own);
    const text = asText(block['text']);
    return block['type'] === 'text' && is_own && text.trim() !== '' ? { ...now, text } : now;
  }, begun);
}

function called(at: Progress, block: Fields, is_own: boolean): Progress {
  const name = asText(block['name']);
  // A model may call a tool `constructor`.
  const before = Object.hasOwn(at.usage.tools, name) ? at.usage.tools[name] : 0;
  const tools = { ...at.usage.tools, [name]: (before ?? 0) + 1 };
  const counted = {
    ...at,
    usage: { ...at.usage, tools },
    open: { ...at.open, [asText(block['id'])]: name },
  };
  if (!is_own) return counted;
  const call = `${name} ${JSON.stringify(block['input'] ?? null)}`;
  return { ...counted, call, repeats: call === at.call ? at.repeats + 1 : 1 };
}

function answered(at: Progress, message: Fields): Progress {
  const ids = blocksOf(message)
    .filter(({ type }) => type === 'tool_result')
    .map((block) => asText(block['tool_use_id']));
  const open = Object.fromEntries(Object.entries(at.open).filter(([id]) => !ids.includes(id)));
  return { ...at, open };
}

function ended(at: Progress, event: Fields): Progress {
  const cost = event['total_cost_usd'];
  const turns = event['num_turns'];
  const { usage } = at;
  const text = asText(event['result']);
  return {
    ...at,
    open: {},
    text: text === '' ? at.text : text,
    usage: {
      ...usage,
      turns: isAmount(turns) ? Math.max(turns, usage.turns) : usage.turns,
      cost_usd: isAmount(cost) ? Math.max(cost, usage.cost_usd) : usage.cost_usd,
    },
    final: { is_error: event['is_error'] === true, subtype: asText(event['subtype']), text },
  };
}

/** Silence is what such a call looks like; it has a limit of its own. */
const WAITS = /__(?:await_agent|lock_wait)$/;
export const isWaiting = ({ open }: Progress): boolean =>
  Object.values(open).some((name) => WAITS.test(name));

const fieldsIn = (line: string): Fields | null =>
  attempt(() => {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  }, null);

const blocksOf = ({ content }: Fields): Fields[] => asList(content).map(asObject);
