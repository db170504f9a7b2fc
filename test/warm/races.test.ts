/**
 * Several launchers at the same moment, for the same file: apart from who is first, answers and ledger are as if each
 * hook were a process. GUARD_WARM_RACES sets the number of races (otherwise a twentieth of GUARD_WARM_EVENTS),
 * GUARD_WARM_SEED the seed.
 */
import { describe, expect, it } from 'vitest';
import { answerIn, recordsIn } from './alike.ts';
import { dice } from './generate.ts';
import { say } from './say.ts';
import { COLD, launchWarm, LAUNCHERS, serve, stage, type Stage } from './stage.ts';

/** A long run of the differential test also runs more races. */
const EVENTS = Number(process.env['GUARD_WARM_EVENTS'] ?? 0);
const RACES = Number(process.env['GUARD_WARM_RACES'] ?? Math.max(6, EVENTS / 20));
const SEED = Number(process.env['GUARD_WARM_SEED'] ?? 1);
/** More than a server handles at a time, so some start their command in the middle of the race. */
const RUNNERS_MAX = 6;
/** A ledger grows; a new one is as fast as the first. */
const EACH = 50;

interface Race {
  readonly kind: keyof typeof KINDS;
  readonly runners: readonly string[];
}

/** Each race has its own file and sessions, because the winner of the previous one is chance, too. */
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
    // Half of the races are about who may write.
    kind: roll(2) === 0 ? 'PreToolUse' : (kinds[roll(kinds.length)] ?? 'Stop'),
    runners: Array.from({ length: 2 + roll(RUNNERS_MAX - 1) }, (_unused, n) => `s${nth}x${n}`),
  }));
}

/** Which agent it was is chance: names are removed, and the rest is sorted. */
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

/** How many of each kind, because their order is chance. */
function counted(at: Stage): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const record of recordsIn(at)) {
    const { type } = JSON.parse(record) as { type: string };
    counts[type] = (counts[type] ?? 0) + 1;
  }
  return counts;
}

/** Races from `first` on, with ledgers of their own. */
const PIECES = Array.from({ length: Math.ceil(RACES / EACH) }, (_, nth) => ({
  first: nth * EACH,
  count: Math.min(EACH, RACES - nth * EACH),
}));

describe.skipIf(LAUNCHERS.length === 0)('races of launchers', () => {
  it.each(PIECES)(
    'end as those of commands: $count of them from $first',
    async ({ first, count }) => {
      const begin = Date.now();
      const files = Object.fromEntries(
        Array.from({ length: count }, (_, nth) => [fileOf(nth), 'one\ntwo\n']),
      );
      const [cold, warm] = [stage({ files }), stage({ files })];
      await serve(warm);
      for (const [nth, race] of racesOf(SEED + first, count).entries()) {
        const name = `${first + nth}: ${race.kind} of ${race.runners.length}`;
        const [by_commands, by_server] = [await run(cold, race, nth), await run(warm, race, nth)];
        expect([name, ...by_server]).toEqual([name, ...by_commands]);
        expect([name, counted(warm)]).toEqual([name, counted(cold)]);
      }
      expect(warm.guard('verify').exit).toBe(0);
      // Otherwise these were races of commands.
      await launchWarm(warm, '{}');
      say(`races from ${first}: ${count} alike, ${Math.round((Date.now() - begin) / 1_000)} s`);
    },
    60_000 + EACH * 8_000,
  );
});
