/** What a person does about a lock on the screen: asks its holder, or takes it back. */
import { hostIn } from '../../core/host-variables.ts';
import { plain } from '../../core/plain.ts';
import { failureOf } from '../../operations/operation.ts';
import { NEGOTIATE_RELEASE } from '../../operations/negotiation.ts';
import { requirePersonAt, TAKE_BACK } from '../../operations/take-back.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { isInClaude } from '../agent-id.ts';
import { outsider } from '../caller.ts';
import { ONLY_LOOKS } from '../operate-looking.ts';
import { personId } from '../person.ts';
import type { Shell } from '../shell.ts';
import { counted } from '../view/counted.ts';
import type { HeldFiles } from './rows.ts';

interface LockDeed {
  readonly does: 'ask' | 'take';
  readonly held: HeldFiles;
}

/** The result, as one line. */
export async function doDeed({ does, held }: LockDeed, space: Workspace, shell: Shell): Promise<string> {
  const { env, isInteractive: is_terminal } = shell;
  const who = outsider(personId(env));
  const seat = { is_in_claude: isInClaude(env), is_in_host: hostIn(env) !== null, is_terminal };
  const around = { ...ONLY_LOOKS, signal: new AbortController().signal };
  const whose = `${plain(held.by)}: ${plain(held.area)}`;
  try {
    requirePersonAt(seat);
    if (does === 'ask') {
      const asked = { agent_name: held.by, file: held.area, reason: 'Asked for at the screen.' };
      const whole = { ...asked, urgency: 'normal' as const, wait_seconds: 0 };
      await NEGOTIATE_RELEASE.run(whole, { ...space, who }, around);
      return `Asked ${whose}. It is told at its next step. Press r again to take it back now.`;
    }
    const asked = { of: held.by, paths: held.paths };
    const { taken, writing } = await TAKE_BACK.run(asked, { ...space, who, seat }, around);
    const left =
      writing.length === 0
        ? ''
        : ` Not taken, because it is being written: ${writing.map(plain).join(', ')}.`;
    return `Taken back from ${plain(held.by)}: ${counted(taken.length, 'file')}. It is told.${left}`;
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return plain(failure.error.message);
  }
}
