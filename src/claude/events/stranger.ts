// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * An event that its environment contradicts (src/core/speakers.ts). It changes nothing for the session that it names, it is
 * recorded, and a write in it is checked as that of an unknown agent.
 */
import { type Forged, forgedBecause, surroundingsOf } from '../../core/speakers.ts';
import type { HookInput } from '../hook-input.ts';
import { complain, context, type HookOutput } from '../output.ts';
import type { HookEnvironment, Hook } from '../context.ts';
import { cannotWrite } from '../tools.ts';
import { transact, type TransactOptions } from '../../store/transact.ts';

export interface Judging {
  readonly open: (input: HookInput, around: HookEnvironment) => Hook;
  readonly run: (hook: Hook) => HookOutput;
}

/** No caller can have this id (src/cli/agent-id.ts): it holds nothing, and has seen nothing. */
const NOBODY = '?';

const WHY: Readonly<Record<Forged, string>> = {
  other_session: 'it names a different session from the one it comes from',
  no_hook: 'it comes from a command, not from the client',
};

/** Null if nothing contradicts the event. */
export function asStranger(
  input: HookInput,
  around: HookEnvironment,
  { open, run }: Judging,
): HookOutput | null {
  const surroundings = surroundingsOf(around.env);
  const forged = forgedBecause(input, surroundings);
  if (forged === null) return null;
  const hook = open({ ...input, session: NOBODY, agent: null }, { ...around, dry: true });
  try {
    note(hook, forged, {
      claimed: `claude-${input.session}`,
      by: `claude-${surroundings.session ?? NOBODY}`,
      commit: around.named?.('event.forged'),
    });
    const words = `this event was not accepted: ${WHY[forged]}. This has been recorded.`;
    if (input.event !== 'PreToolUse' || cannotWrite(input.tool)) return complain(words);
    const answer = run(hook);
    return answer.exit === 0 && answer.stdout === '' ? context(input.event, [`guard: ${words}`]) : answer;
  } finally {
    hook.close();
  }
}

interface Noted {
  readonly claimed: string;
  readonly by: string;
  readonly commit: TransactOptions | undefined;
}

function note({ home, now, input }: Hook, reason: Forged, { claimed, by, commit }: Noted): void {
  const { event, tool } = input;
  const record = { type: 'event.forged', agent: by, ts_ms: now.wall_ms, s: {}, event, tool, claimed, reason };
  transact(home.store, () => ({ records: [record], result: null }), commit);
}
