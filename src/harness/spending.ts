/**
 * What a run has cost so far. Clients say it at the end of a turn; until then it is guessed from the tokens of every call.
 * Pure.
 */
import { asObject, type JsonObject } from '../core/json-object.ts';
import { isAmount } from './fields.ts';

/** US dollars for one token of input, by model. */
export type Prices = Readonly<Record<string, number>>;

/** One call of the API. */
interface ModelCall {
  readonly id: string;
  readonly model: string;
  readonly tokens: Tokens;
  /** It is known before its last token is. */
  readonly is_open: boolean;
}

interface Tokens {
  readonly input: number;
  readonly output: number;
  /** Into the cache, for five minutes and for an hour. */
  readonly written: number;
  readonly written_1h: number;
  readonly read: number;
}

export interface Spending {
  /** As its client said. */
  readonly said_usd: number;
  /** Of that, of runs of the session before this one. */
  readonly before_usd: number;
  /** Since then, but for `calls`. */
  readonly guessed_usd: number;
  /** The newest, more of which may be told. */
  readonly calls: readonly ModelCall[];
  /** From what clients said of their models. */
  readonly prices: Prices;
}

export const NOTHING_SPENT: Spending = { said_usd: 0, before_usd: 0, guessed_usd: 0, calls: [], prices: {} };

/** So many may be told of at once: the agent's own, and those of its subagents. */
const CALLS_KEPT = 20;

/** @param model absent: as said before of this call @param is_open there is more to come */
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

/** The client's own word, which takes the place of every guess, and from which the next guess learns. */
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

/** A client that goes on with a session says what all of it cost, but not where its last run was cut off: then, only its own. */
function wholeOf(at: Spending, cost: number): number {
  const own_usd = costOf(at).cost_usd - at.before_usd;
  return cost - own_usd < at.before_usd / 2 ? at.before_usd + cost : cost;
}

const guessOf = ({ prices, guessed_usd }: Spending, calls: readonly ModelCall[]): number =>
  guessed_usd + calls.reduce((sum, call) => sum + usdOf(prices, call), 0);

/** The client's word and the guess since; `is_estimate` where the guess is any. */
export function costOf(at: Spending): { readonly cost_usd: number; readonly is_estimate?: true } {
  const guess = guessOf(at, at.calls);
  if (guess === 0) return { cost_usd: at.said_usd };
  return { cost_usd: Number((at.said_usd + guess).toFixed(6)), is_estimate: true };
}

/** What is still open may be an agent's last words: it is let finish. */
export const costUntilLastCall = (at: Spending): number =>
  at.said_usd +
  guessOf(
    at,
    at.calls.filter(({ is_open }) => !is_open),
  );

const usdOf = (prices: Prices, { model, tokens }: ModelCall): number =>
  priceOf(prices, model) * unitsOf(tokens);

/**
 * In tokens of input: list prices have had these ratios for every model so far, so one price a model is enough. Against the
 * client's own sum for a message of all five kinds the guess was 1.3 % off.
 */
const unitsOf = ({ input, output, written, written_1h, read }: Tokens): number =>
  input + 5 * output + 1.25 * written + 2 * written_1h + 0.1 * read;

const amount = (value: unknown): number => (isAmount(value) ? value : 0);

/** Whatever is told of a call only grows. */
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

/** Until a client has said what a model costs. */
const FAMILIES: readonly (readonly [name: RegExp, usd: number])[] = [
  [/opus-4-(?:0|1|2025)|3-opus/, 15e-6],
  [/opus-5-5/, 4e-6],
  [/haiku/, 1e-6],
  [/sonnet/, 3e-6],
];
/** Of most of the dearer ones. */
const OTHERWISE_USD = 5e-6;

const priceOf = (prices: Prices, model: string): number =>
  (Object.hasOwn(prices, model) ? prices[model] : undefined) ??
  FAMILIES.find(([name]) => name.test(model))?.[1] ??
  OTHERWISE_USD;
