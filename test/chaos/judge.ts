/**
 * Checks a finished ledger and what every process was told, in two independent ways: by the invariants of leases, and
 * by running the model again over the ledger, act by act.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Json, Key, LedgerRecord } from '../../src/core/ledger.ts';
import { type Act, alive, type Answer, asState, decide, type Hold, type KeyState } from './model.ts';

/** The answer that a worker got. */
export interface Told {
  readonly act: Act;
  readonly answer: Answer;
}

export interface Verdict {
  readonly kind:
    | 'lost_grant'
    | 'lost_release'
    | 'doubled_grant'
    | 'two_holders'
    | 'token_not_growing'
    | 'overtaken'
    | 'not_serialisable'
    | 'broken_order'
    | 'wrong_refusal'
    | 'wrong_state';
  readonly lsn?: number;
  readonly key?: Key;
  readonly detail?: string;
}

const actOf = (record: LedgerRecord): Act | undefined => record['act'] as unknown as Act | undefined;

function conflicts(holds: readonly Hold[]): boolean {
  return holds.some((one) =>
    holds.some(
      (other) => one.agent !== other.agent && (one.mode === 'exclusive' || other.mode === 'exclusive'),
    ),
  );
}

/** Every live hold must still be there, unless its agent released it in this record. */
function vanished(before: KeyState, after: KeyState, act: Act): Hold | undefined {
  return alive(before, act.now_ms).holds.find(
    (hold) => hold.agent !== act.agent && !after.holds.some((one) => isDeepStrictEqual(one, hold)),
  );
}

function judgeKey(key: Key, before: KeyState, after: KeyState, record: LedgerRecord, act: Act): Verdict[] {
  const verdicts: Verdict[] = [];
  const at = { lsn: record.lsn, key };
  const live = alive(after, act.now_ms);
  if (conflicts(live.holds)) verdicts.push({ kind: 'two_holders', ...at });
  const gone = vanished(before, after, act);
  if (gone !== undefined) verdicts.push({ kind: 'lost_grant', ...at, detail: gone.agent });
  const [first] = alive(before, act.now_ms).queue;
  if (act.op === 'acquire' && first !== undefined && first.agent !== act.agent)
    verdicts.push({ kind: 'overtaken', ...at });
  return verdicts;
}

/** Repeating the act on the states before it must give the record's states. */
function repeat(states: ReadonlyMap<Key, Json>, record: LedgerRecord, act: Act): Verdict[] {
  const { states: again } = decide(act, (key) => states.get(key), Number(record['token']));
  return isDeepStrictEqual(again, record.s) ? [] : [{ kind: 'not_serialisable', lsn: record.lsn }];
}

interface Walk {
  readonly states: Map<Key, Json>;
  readonly verdicts: Verdict[];
  /** Grants and releases by token, to look up what workers were told. */
  readonly acts: Map<string, number>;
  token: number;
  lsn: number;
}

const name = ({ op, agent, now_ms, keys }: Act): string => `${op} ${agent} ${now_ms} ${keys.join(',')}`;

function judgeRecord(walk: Walk, record: LedgerRecord): void {
  if (record.lsn <= walk.lsn) walk.verdicts.push({ kind: 'broken_order', lsn: record.lsn });
  walk.lsn = record.lsn;
  const act = actOf(record);
  if (act !== undefined) {
    const token = Number(record['token']);
    if (token <= walk.token) walk.verdicts.push({ kind: 'token_not_growing', lsn: record.lsn });
    walk.token = token;
    walk.verdicts.push(...repeat(walk.states, record, act));
    for (const key of act.keys) {
      walk.verdicts.push(
        ...judgeKey(key, asState(walk.states.get(key)), asState(record.s[key] ?? undefined), record, act),
      );
    }
    const named = `${name(act)} ${token}`;
    walk.acts.set(named, (walk.acts.get(named) ?? 0) + 1);
  }
  for (const [key, state] of Object.entries(record.s)) {
    if (state === null) walk.states.delete(key);
    else walk.states.set(key, state);
  }
}

/** A refusal must match the model's answer for the ledger at that point. */
function judgeRefusal({ states }: Walk, { act, answer }: Told): Verdict[] {
  const again = decide(act, (key) => states.get(key), answer.token).answer;
  return isDeepStrictEqual(again, answer)
    ? []
    : [{ kind: 'wrong_refusal', lsn: answer.token, detail: name(act) }];
}

function judgeGrant({ acts }: Walk, { act, answer }: Told): Verdict[] {
  const count = acts.get(`${name(act)} ${answer.token}`) ?? 0;
  if (count === 0) return [{ kind: act.op === 'release' ? 'lost_release' : 'lost_grant', detail: name(act) }];
  return count === 1 ? [] : [{ kind: 'doubled_grant', detail: name(act) }];
}

/** `states`: the current states by the engine. No verdicts mean that nothing was lost, doubled or out of turn. */
export function judge(
  records: Iterable<LedgerRecord>,
  told: readonly Told[],
  states: readonly (readonly [Key, Json])[],
): Verdict[] {
  const walk: Walk = { states: new Map(), verdicts: [], acts: new Map(), token: 0, lsn: 0 };
  const refused = told
    .filter(({ answer }) => !answer.granted)
    .sort((a, b) => a.answer.token - b.answer.token);
  const due = (lsn: number): void => {
    while (refused[0] !== undefined && refused[0].answer.token <= lsn) {
      const one = refused.shift();
      if (one !== undefined) walk.verdicts.push(...judgeRefusal(walk, one));
    }
  };
  for (const record of records) {
    due(record.lsn);
    judgeRecord(walk, record);
  }
  due(Infinity);
  const granted = told.filter(({ answer }) => answer.granted);
  const byKey = ([a]: readonly [Key, Json], [b]: readonly [Key, Json]): number => (a < b ? -1 : 1);
  const isRight = isDeepStrictEqual([...walk.states].sort(byKey), [...states].sort(byKey));
  return [
    ...walk.verdicts,
    ...granted.flatMap((one) => judgeGrant(walk, one)),
    ...(isRight ? [] : [{ kind: 'wrong_state' as const }]),
  ];
}
