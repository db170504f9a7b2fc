/**
 * What a run has cost so far. Clients report that at the end of a turn; until then it is estimated from the tokens of each
 * call. Pure.
 */
import { asObject, type JsonObject } from '../core/json-object.ts';
import { isAmount } from './fields.ts';

/** US dollars per input token, by model. */
export type Prices = Readonly<Record<string, number>>;

/** One call of the API. */
interface ModelCall {
  readonly id: string;
  readonly model: string;
  readonly tokens: Tokens;
  /** Its last token is still to come. */
  readonly is_open: boolean;
}

interface Tokens {
  readonly input: number;
  readonly output: number;
  /** Tokens written to the cache, for five minutes and for an hour. */
  readonly written: number;
  readonly written_1h: number;
  readonly read: number;
}

export interface Spending {
  /** As its client reported. */
  readonly said_usd: number;
  /** The part of that which earlier runs of the session spent. */
  readonly before_usd: number;
  /** Estimated since then, without `calls`. */
  readonly guessed_usd: number;
  /** The newest calls, about which more may be reported. */
  readonly calls: readonly ModelCall[];
  /** Learnt from what clients reported about their models. */
  readonly prices: Prices;
}

export const NOTHING_SPENT: Spending = { said_usd: 0, before_usd: 0, guessed_usd: 0, calls: [], prices: {} };

/** How many calls may be reported on concurrently: the agent's own, and those of its subagents. */
const CALLS_KEPT = 20;

/** @param model empty if unchanged for this call @param is_open whether there is more to come */
export interface CallTold {
  readonly id: string;
  readonly model: string;
  readonly usage: JsonObject;
  readonly is_open: boolean;
}

export function withCall(at: Spending, { id, model, usage, is_open }: CallTold): Spending {
  const before = at.calls.find((call) => call.id === id);
  const tokens = tokensIn(usage, before?.tokens);
  if (before !== undefined) {
    const calls = at.calls.map((call) => (call === before ? { ...call, tokens, is_open } : call));
    return { ...at, calls };
  }
  const calls = [...at.calls, { id, model, tokens, is_open }];
  const [oldest] = calls;
  if (calls.length <= CALLS_KEPT || oldest === undefined) return { ...at, calls };
  return { ...at, calls: calls.slice(1), guessed_usd: at.guessed_usd + usdOf(at.prices, oldest) };
}

/** The client's own figure replaces every estimate, and the next estimate learns from it. */
export function withWord(at: Spending, cost: unknown, models: unknown): Spending {
  if (!isAmount(cost)) return at;
  const learnt = Object.entries(asObject(models)).flatMap(([model, said]) => {
    const { costUSD } = asObject(said);
    const units = unitsOf(tokensOfModel(asObject(said)));
    return isAmount(costUSD) && units > 0 ? [[model, costUSD / units] as const] : [];
  });
  const prices = { ...at.prices, ...Object.fromEntries(learnt) };
  return { ...at, said_usd: Math.max(wholeOf(at, cost), at.said_usd), guessed_usd: 0, calls: [], prices };
}

/** A client that resumes a session reports the cost of all of it; if its last run was cut off, only that of its own run. */
function wholeOf(at: Spending, cost: number): number {
  const own_usd = costOf(at).cost_usd - at.before_usd;
  return cost - own_usd < at.before_usd / 2 ? at.before_usd + cost : cost;
}

const guessOf = ({ prices, guessed_usd }: Spending, calls: readonly ModelCall[]): number =>
  guessed_usd + calls.reduce((sum, call) => sum + usdOf(prices, call), 0);

/** The client's figure plus the estimate since; `is_estimate` if there is any. */
export function costOf(at: Spending): { readonly cost_usd: number; readonly is_estimate?: true } {
  const guess = guessOf(at, at.calls);
  if (guess === 0) return { cost_usd: at.said_usd };
  return { cost_usd: Number((at.said_usd + guess).toFixed(6)), is_estimate: true };
}

/** Without open calls, which may be an agent's last words: it may finish them. */
export const costUntilLastCall = (at: Spending): number =>
  at.said_usd +
  guessOf(
    at,
    at.calls.filter(({ is_open }) => !is_open),
  );

const usdOf = (prices: Prices, { model, tokens }: ModelCall): number =>
  priceOf(prices, model) * unitsOf(tokens);

/**
 * In units of input tokens: list prices have had these ratios for every model so far, so one price per model is enough.
 * Compared with the client's own sum for a message of all five kinds, the estimate was 1.3 % off.
 */
const unitsOf = ({ input, output, written, written_1h, read }: Tokens): number =>
  input + 5 * output + 1.25 * written + 2 * written_1h + 0.1 * read;

const amount = (value: unknown): number => (isAmount(value) ? value : 0);

/** The reported numbers of a call only grow. */
function tokensIn(usage: JsonObject, before?: Tokens): Tokens {
  const long = amount(asObject(usage['cache_creation'])['ephemeral_1h_input_tokens']);
  return {
    input: Math.max(before?.input ?? 0, amount(usage['input_tokens'])),
    output: Math.max(before?.output ?? 0, amount(usage['output_tokens'])),
    written: Math.max(before?.written ?? 0, amount(usage['cache_creation_input_tokens']) - long),
    written_1h: Math.max(before?.written_1h ?? 0, long),
    read: Math.max(before?.read ?? 0, amount(usage['cache_read_input_tokens'])),
  };
}

const tokensOfModel = (said: JsonObject): Tokens =>
  tokensIn({
    input_tokens: said['inputTokens'],
    output_tokens: said['outputTokens'],
    cache_creation_input_tokens: said['cacheCreationInputTokens'],
    cache_creation: { ephemeral_1h_input_tokens: said['cacheCreationEphemeral1hInputTokens'] },
    cache_read_input_tokens: said['cacheReadInputTokens'],
  });

/** Used until a client has reported what a model costs. */
const FAMILIES: readonly (readonly [name: RegExp, usd: number])[] = [
  [/opus-4-(?:0|1|2025)|3-opus/, 15e-6],
  [/opus-5-5/, 4e-6],
  [/haiku/, 1e-6],
  [/sonnet/, 3e-6],
];
/** The price of most of the more expensive models. */
const OTHERWISE_USD = 5e-6;

const priceOf = (prices: Prices, model: string): number =>
  (Object.hasOwn(prices, model) ? prices[model] : undefined) ??
  FAMILIES.find(([name]) => name.test(model))?.[1] ??
  OTHERWISE_USD;
