/**
 * Several launchers at the same moment, about the same file: whoever is first, the rest hear the same and the ledger says the same as where
 * each hook is a process. GUARD_WARM_RACES says how many, GUARD_WARM_SEED which.
 */
import { describe, expect, it } from 'vitest';
import { answerIn, recordsIn } from './alike.ts';
import { dice } from './generate.ts';
import { COLD, isCold, LAUNCHERS, serve, stage, type Stage, STAND_IN } from './stage.ts';

const RACES = Number(process.env['GUARD_WARM_RACES'] ?? 6);
const SEED = Number(process.env['GUARD_WARM_SEED'] ?? 1);
/** More than a server takes up at once: some go their own way, in the middle of the race. */
const RUNNERS_MAX = 6;
/** A ledger grows; a new one is as quick as the first. */
const EACH = 50;

interface Race {
  readonly kind: keyof typeof KINDS;
  readonly runners: readonly string[];
}

/** Each race has a file and sessions of its own: who won the one before is chance, too. */
const fileOf = (nth: number): string => `a${nth}.txt`;
const edit = (at: Stage, nth: number) => ({
  ...{ tool_name: 'Edit', tool_use_id: `t${nth}` },
  tool_input: { file_path: at.path(fileOf(nth)), old_string: 'two', new_string: '2', replace_all: false },
});

const KINDS = {
  PreToolUse: edit,
  UserPromptSubmit: () => ({ prompt: 'go' }),
  PermissionRequest: edit,
  Stop: () => ({ background_tasks: [] }),
  SessionEnd: () => ({ reason: 'other' }),
} as const;

function racesOf(seed: number, count: number): readonly Race[] {
  const roll = dice(seed);
  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
  return Array.from({ length: count }, (_, nth) => ({
    // Half of them are about who may write.
    kind: roll(2) === 0 ? 'PreToolUse' : (kinds[roll(kinds.length)] ?? 'Stop'),
    runners: Array.from({ length: 2 + roll(RUNNERS_MAX - 1) }, (_unused, n) => `s${nth}x${n}`),
  }));
}

/** Who it was is chance: names go, and what is left is sorted. */
const nameless = (text: string): string =>
  text.replace(/\b(claude-)?s\d+x\d\b/g, '<session>').replace(/<session>(, <session>)+/g, '<sessions>');

async function run(at: Stage, { kind, runners }: Race, nth: number): Promise<readonly string[]> {
  const one = (session_id: string) => {
    const event = { session_id, cwd: at.root, hook_event_name: kind, ...KINDS[kind](at, nth) };
    return at.launch(event, COLD, { CLAUDE_CODE_SESSION_ID: session_id });
  };
  const told = await Promise.all(runners.map(one));
  return told.map((answer) => nameless(answerIn(at, answer))).sort();
}

/** Of each kind, how many: which of them came first is chance. */
function counted(at: Stage): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const record of recordsIn(at)) {
    const { type } = JSON.parse(record) as { type: string };
    counts[type] = (counts[type] ?? 0) + 1;
  }
  return counts;
}

describe.skipIf(LAUNCHERS.length === 0)('races of launchers', () => {
  it(
    `end as those of commands: ${RACES} of them`,
    async () => {
      for (let first = 0; first < RACES; first += EACH) {
        const files = Object.fromEntries(
          Array.from({ length: EACH }, (_, nth) => [fileOf(nth), 'one\ntwo\n']),
        );
        const [cold, warm] = [stage({ files }), stage({ files })];
        await serve(warm);
        for (const [nth, race] of racesOf(SEED + first, Math.min(EACH, RACES - first)).entries()) {
          const name = `${first + nth}: ${race.kind} of ${race.runners.length}`;
          const [by_commands, by_server] = [await run(cold, race, nth), await run(warm, race, nth)];
          expect([name, ...by_server]).toEqual([name, ...by_commands]);
          expect([name, counted(warm)]).toEqual([name, counted(cold)]);
        }
        expect(warm.guard('verify').exit).toBe(0);
        // Else these were races of commands.
        expect(isCold(await warm.launch('{}', STAND_IN))).toBe(false);
      }
    },
    60_000 + RACES * 8_000,
  );
});
