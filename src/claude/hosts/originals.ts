// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * What Copilot's events leave out: which call has ended, and what a file was before. guard keeps the text of the file that it
 * approved beside the agent's baseline, up to the size that it keeps of any write.
 */
import { pathKey } from '../../core/keys.ts';
import { asPathState } from '../../core/states.ts';
import type { Target } from '../../repo/canonical.ts';
import { digestFile } from '../../repo/digest.ts';
import { isLocated, locate } from '../events/targets.ts';
import { opOf } from '../events/op.ts';
import { asFields } from '../fields.ts';
import type { HookSpace, Hook } from '../context.ts';
import { decodeText, normaliseEnds } from '../text/encoding.ts';

export function keepOriginals(hook: Hook, paths: readonly string[]): void {
  for (const { space, target } of locate(hook, paths).filter(isLocated)) {
    const { bytes } = digestFile(target.real, { deadline: hook.deadline, want_bytes: true });
    const text = bytes === undefined ? null : decodeText(bytes);
    if (text === null) space.baselines.takeText(target.path);
    else space.baselines.keepText(target.path, normaliseEnds(text));
  }
}

/** The response with the text that the tool replaced, as Claude's own has it. */
export function originalAt(space: HookSpace, { path }: Target, tool_response: unknown): unknown {
  const originalFile = space.baselines.takeText(path);
  return originalFile === null ? tool_response : { ...asFields(tool_response), originalFile };
}

/** Of a call without an id. Two writes of one answer are approved before either runs: each intent is found by its own file. */
export function endedOp(hook: Hook, space: HookSpace, files: readonly Target[]): string {
  const { tool_use_id } = hook.input;
  const keys = files.map((file) => pathKey(file.path));
  const stateAt = space.cache.get(keys);
  const intents = keys.flatMap((key) => asPathState(stateAt(key)).intent ?? []);
  const own = intents.find(({ agent, op }) => agent === hook.who.id && op.startsWith(tool_use_id));
  return own?.op ?? opOf(hook);
}
