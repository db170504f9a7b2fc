// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** PostToolBatch: every call of the batch has ended, including denied and failed ones, and so have all other hooks for them. */
import { everyStep } from '../../core/every-step.ts';
import { asList } from '../../core/json-object.ts';
import { pathKey } from '../../core/keys.ts';
import { asPathState } from '../../core/states.ts';
import { decodeText } from '../text/encoding.ts';
import { digestFile } from '../../repo/digest.ts';
import { asFields, textField } from '../input.ts';
import type { HookInput } from '../hook-input.ts';
import { keep } from '../kept.ts';
import { context, type HookOutput } from '../output.ts';
import type { Hook } from '../context.ts';
import { writerPaths } from '../tools.ts';
import { endCommands } from '../commands/ended.ts';
import { isLocated, locate, type Located } from './targets.ts';
import { afterBatch } from '../commands/window-ends.ts';
import { endForeignWait } from './lock-tools.ts';
import { ASKED, endOps } from './op-end.ts';
import { newRoom, type Room, tellChange } from './told.ts';

export function batchEnd(hook: Hook): HookOutput {
  const calls = callsOf(hook.input);
  const writes = calls.flatMap((call) => writerPaths(call, hook.home.config.mcp) ?? []);
  const ids = calls.map((call) => call.tool_use_id);
  everyStep(
    () => endOps(hook, [...ids, ASKED], writes),
    () => hook.home.agent()?.commands && endCommands(hook, ids),
  );
  for (const call of calls) if (call.tool.endsWith('__lock_wait')) endForeignWait(hook, call);
  const files = locate(hook, [...new Set(writes)]).filter(isLocated);
  const room = newRoom();
  const notes = files.map((file) => reformatted(hook, file, room));
  return context('PostToolBatch', [...notes, ...afterBatch(hook, calls)]);
}

function callsOf(input: HookInput): HookInput[] {
  return asList(input.raw['tool_calls'])
    .map(asFields)
    .map((call) => ({
      ...input,
      tool: textField(call, 'tool_name', 'toolName'),
      tool_use_id: textField(call, 'tool_use_id', 'toolUseId'),
      tool_input: asFields(call['tool_input'] ?? call['toolInput']),
      raw: call,
    }));
}

/** What happened to a file after this agent's own write, if no one else's record explains it. */
function reformatted(hook: Hook, { target, space }: Located, room: Room): string {
  const before = space.baselines.takeText(target.path);
  const baseline = space.baselines.read(target.path);
  if (before === null || baseline?.knows !== 'content') return '';
  const disk = digestFile(target.real, { deadline: hook.deadline, want_bytes: true });
  if (disk.digest === null || disk.digest === baseline.digest || disk.bytes === undefined) return '';
  keep(hook, space, target, disk);
  const key = pathKey(target.path);
  const { last_write, intent } = asPathState(space.store.look([key]).get(key));
  const others = last_write?.agent !== hook.who.id || (intent !== null && intent.agent !== hook.who.id);
  if (others) return '';
  const after = decodeText(disk.bytes);
  if (after === null) return '';
  return tellChange(space, target, { before, after, digest: disk.digest, turn: baseline.turn }, room);
}
