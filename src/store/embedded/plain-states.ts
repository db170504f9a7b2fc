/**
 * The states of a record, as far as `verifyLedger` compares them with others: of paths only who holds them, and of most only whether they
 * are null. All of their bytes are checked.
 */
import { AGENTS, GLOBS, PATHS } from '../../core/keys.ts';
import type { Json, Key } from '../../core/ledger.ts';
import { isPlaceKey } from '../../core/rules/places.ts';
import { literal, NULL, standsAt } from './line-bytes.ts';
import { itemsEnd, membersEnd, nameEnd, naturalAt, valueEnd } from './plain-json.ts';

const QUOTE = 34;
const HOLDS = literal('holds');
const AGENT = literal('agent');
const EPOCH = literal('epoch');

const isName = (bytes: Buffer, name: number, end: number, wanted: Uint8Array): boolean =>
  end - name === wanted.length && standsAt(bytes, name, wanted);

/** Undefined if the value is not a string, or has escapes. */
const plainText = (bytes: Buffer, at: number, end: number): string | undefined =>
  bytes[at] === QUOTE && nameEnd(bytes, at + 1) === end - 1
    ? bytes.toString(undefined, at + 1, end - 1)
    : undefined;

/** Where the hold ends; who has it is added to `found`. -1 if that cannot be read here. */
function holdEnd(bytes: Buffer, at: number, found: Json[]): number {
  let agent: string | undefined;
  let epoch = -1;
  const end = membersEnd(bytes, at, (name, stop, value) => {
    const after = valueEnd(bytes, value);
    if (isName(bytes, name, stop, AGENT)) agent = plainText(bytes, value, after);
    else if (isName(bytes, name, stop, EPOCH)) epoch = naturalAt(bytes, value, after);
    return after;
  });
  if (agent === undefined || epoch < 0) return -1;
  found.push({ agent, epoch });
  return end;
}

/** Where the state of a path ends; who holds it is in `state` then. */
const pathEnd = (bytes: Buffer, at: number, state: { holds: Json[] }): number =>
  membersEnd(bytes, at, (name, stop, value) => {
    if (!isName(bytes, name, stop, HOLDS)) return valueEnd(bytes, value);
    const holds: Json[] = [];
    state.holds = holds;
    return itemsEnd(bytes, value, (hold) => holdEnd(bytes, hold, holds));
  });

const isCompared = (key: Key): boolean => key.startsWith(AGENTS) || key.startsWith(GLOBS) || isPlaceKey(key);

function stateEnd(bytes: Buffer, key: Key, at: number, states: [Key, Json][]): number {
  if (standsAt(bytes, at, NULL)) {
    states.push([key, null]);
    return at + NULL.length;
  }
  if (key.startsWith(PATHS)) {
    const state = { holds: [] };
    states.push([key, state]);
    return pathEnd(bytes, at, state);
  }
  const end = valueEnd(bytes, at);
  if (end < 0) return -1;
  states.push([key, isCompared(key) ? (JSON.parse(bytes.toString(undefined, at, end)) as Json) : true]);
  return end;
}

/** Where the object of states that begins at `at` ends; the states are added to `states`. -1 if it has to be decoded in full. */
export const statesEnd = (bytes: Buffer, at: number, states: [Key, Json][]): number =>
  membersEnd(bytes, at, (name, end, value) =>
    stateEnd(bytes, bytes.toString(undefined, name, end), value, states),
  );
