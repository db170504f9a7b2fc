/** What a person does about locks on the screen: asks their holder, or takes them back. */
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
import type { Done, LockDeed } from './asking.ts';
import type { HeldFiles } from './rows.ts';

/** Each is a message that the holder has to read. */
const AREAS_MAX = 20;

export async function doDeed({ does, held }: LockDeed, space: Workspace, shell: Shell): Promise<Done> {
  const { env, isInteractive: is_terminal } = shell;
  const who = outsider(personId(env));
  const seat = { is_in_claude: isInClaude(env), is_in_host: hostIn(env) !== null, is_terminal };
  const files = counted(held.paths.length, 'file');
  try {
    requirePersonAt(seat);
    if (does === 'ask') return await ask(held, files, { ...space, who });
    const asked = { of: held.by, paths: held.paths };
    const { taken, writing } = await TAKE_BACK.run(asked, { ...space, who, seat }, around());
    const left = writing.length === 0 ? '' : ` Still being written: ${writing.map(plain).join(', ')}`;
    return {
      is_done: true,
      note: `Taken back: ${counted(taken.length, 'file')} of ${plain(held.name)}.${left}`,
    };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return { is_done: false, note: plain(failure.error.message) };
  }
}

const around = () => ({ ...ONLY_LOOKS, signal: new AbortController().signal });

/** What a second press does comes first: the end of a note may be cut. */
async function ask(
  { by, name, areas }: HeldFiles,
  files: string,
  space: Workspace & { readonly who: ReturnType<typeof outsider> },
): Promise<Done> {
  if (areas.length > AREAS_MAX)
    return { is_done: false, note: `Choose a row below Locks: these are ${areas.length} requests.` };
  for (const file of areas) {
    const request = { agent_name: by, file, reason: 'A person asked for it on the screen of guard status.' };
    await NEGOTIATE_RELEASE.run({ ...request, urgency: 'normal', wait_seconds: 0 }, space, around());
  }
  return { is_done: true, note: `Asked. Press r again to take back ${files} of ${plain(name)}.` };
}
