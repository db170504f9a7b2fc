/**
 * Keeps what an agent is told only once until the launcher has the answer: it is written before the commit that marks it as
 * told. If the server dies in between, the command that takes its place finds it (claude/repeated.ts).
 */
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from '../core/attempt.ts';
import type { EventType, Rules } from '../core/decide.ts';
import { idsOf } from '../claude/request.ts';
import type { HookOutput } from '../claude/output.ts';
import { isToldFile, toldFile, type KeptLine } from '../claude/told-file.ts';
import type { Named } from '../workspace/named.ts';

export interface ToldOnce {
  readonly named: Named;
  answered(output: HookOutput): void;
  /** The launcher has the answer. */
  readonly drop: () => void;
}

export function toldOnce(state_dir: string, request: string): ToldOnce {
  let file = toldFile(state_dir, request);
  const idFor = idsOf(request);
  let isBegun = false;
  const add = (line: KeptLine): void => {
    isBegun = true;
    // A full disk costs the repetition, not the event.
    attempt(() => appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 }), undefined);
  };
  const named = (type: string) => {
    const id = idFor(type);
    const keep = (result: unknown, [record]: readonly { readonly agent: string }[]): void => {
      if (record && isTelling(type, result)) add({ id, agent: record.agent, result });
    };
    return { id, first: { sign: [], keep, answer: (now: unknown) => now } };
  };
  return {
    named: Object.assign(named, {
      // Where the command will look: a joined clone's ledger is in another directory than its server.
      place(home_dir: string) {
        file = toldFile(home_dir, request);
        if (home_dir !== state_dir)
          attempt(() => mkdirSync(dirname(file), { recursive: true, mode: 0o700 }), undefined);
      },
      note: (note: string) => add({ note }),
    }),
    answered: (answer) => {
      if (isBegun) add({ answer });
    },
    drop: () => {
      if (isBegun) attempt(() => unlinkSync(file), undefined);
    },
  };
}

type Telling = { readonly [T in EventType]?: (result: Rules[T]['result']) => boolean };

const isAny = (list: readonly unknown[]): boolean => list.length > 0;

/** Results that a second run of the same event would not have. */
const TELLING: Telling = {
  'message.deliver': ({ messages, freed }) => messages.length + freed.length > 0,
  'revoked.told': isAny,
  'drift.told': isAny,
  'noticed.told': isAny,
  drift: isAny,
  'write.begin': ({ verdict }) => verdict === 'denied',
  'command.begin': ({ verdict }) => verdict === 'denied',
  // The command also has to keep what the agent knows of the file now.
  'write.end': (outcomes) => outcomes.some(({ repeated }) => !repeated),
};

function isTelling(type: string, result: unknown): boolean {
  const telling = (TELLING as Readonly<Record<string, (result: unknown) => boolean>>)[type];
  return telling?.(result) ?? false;
}

/** No launcher waits this long for the command that takes a server's place. */
const KEPT_MS = 120_000;

/** Removes what launchers left behind that were killed themselves. */
export function sweepTold(warm_dir: string, now_wall_ms: number): void {
  for (const name of readdirSync(warm_dir).filter(isToldFile)) {
    const file = `${warm_dir}/${name}`;
    const made_ms = attempt(() => statSync(file).mtimeMs, now_wall_ms);
    if (now_wall_ms - made_ms > KEPT_MS) rmSync(file, { force: true });
  }
}
