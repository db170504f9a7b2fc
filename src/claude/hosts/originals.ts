// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * What other clients' events leave out: which call has ended, and the previous content of a file. guard keeps the text of the
 * approved file next to the agent's baseline, up to the size limit that applies to any write.
 */
import { pathKey } from '../../core/keys.ts';
import { asPathState } from '../../core/states.ts';
import type { Target } from '../../repo/canonical.ts';
import { digestFile } from '../../repo/digest.ts';
import { isLocated, locate } from '../events/targets.ts';
import { opOf } from '../events/op.ts';
import { asFields, asText } from '../fields.ts';
import { parsePatch } from '../adapters/patch.ts';
import { patchedText } from '../adapters/patched-text.ts';
import type { RepoPath } from '../../core/types.ts';
import type { HookSpace, Hook } from '../context.ts';
import { decodeText, normaliseEnds } from '../text/encoding.ts';
import type { WriteCall } from '../text/expected.ts';

export function keepOriginals(hook: Hook, paths: readonly string[]): void {
  for (const { space, target } of locate(hook, paths).filter(isLocated)) {
    const { bytes } = digestFile(target.real, { deadline: hook.deadline, want_bytes: true });
    const text = bytes === undefined ? null : decodeText(bytes);
    if (text === null) space.baselines.takeText(target.path);
    else space.baselines.keepText(target.path, normaliseEnds(text));
  }
}

/** What another client's call leaves in a file. `leaves_none`: it removes the file. */
interface HostCall extends WriteCall {
  readonly leaves_none?: true;
}

interface At {
  readonly hook: Hook;
  readonly space: HookSpace;
}

/** @param how `look` leaves the stored text in place for later calls */
export function callAt(
  { hook, space }: At,
  file: Target,
  disk: Buffer | null,
  how: 'take' | 'look',
): HostCall {
  const { tool, tool_input: input, tool_response: response } = hook.input;
  if (hook.input.paths !== undefined) return patchCall({ hook, space }, file, disk, how);
  const isSaid = asFields(response)['originalFile'] !== undefined;
  return { tool, input, response: isSaid ? response : originalAt(space, file.path, response, how) };
}

/** The response with the replaced text added, as Claude's own responses have it. */
function originalAt(
  { baselines }: HookSpace,
  path: RepoPath,
  tool_response: unknown,
  how: 'take' | 'look',
): unknown {
  const originalFile = keptAt(baselines, path, how);
  return originalFile === null ? tool_response : { ...asFields(tool_response), originalFile };
}

function keptAt(baselines: HookSpace['baselines'], path: RepoPath, how: 'take' | 'look'): string | null {
  const text = baselines.takeText(path);
  if (text !== null && how === 'look') baselines.keepText(path, text);
  return text;
}

/** Treated as a Write of the patch applied to the previous text; a move is asked about for both of its files. */
function patchCall({ hook, space }: At, file: Target, disk: Buffer | null, how: 'take' | 'look'): HostCall {
  const { tool, tool_input: input } = hook.input;
  const isHere = (path: string): boolean => hook.resolve(path).real === file.real;
  const changes = parsePatch(asText(input['command'] ?? input['patchText'])) ?? [];
  const change = changes.findLast(
    (one) => isHere(one.path) || (one.does === 'update' && isHere(one.to ?? one.path)),
  );
  const moves = change?.does === 'update' && change.to !== null;
  if (change === undefined) return { tool, input, response: undefined };
  if (change.does === 'delete' || (moves && isHere(change.path)))
    return disk === null ? { tool, input, response: undefined, leaves_none: true } : asWrite('', null);
  const original = keptAt(space.baselines, file.path, how);
  if (change.does === 'add') return asWrite(change.content, original);
  const before = moves ? keptAt(space.baselines, hook.resolve(change.path).path, 'look') : original;
  const content = before === null ? null : patchedText(before, change.hunks);
  return content === null ? { tool, input, response: undefined } : asWrite(content, original);
}

const asWrite = (content: string, originalFile: string | null): HostCall => ({
  tool: 'Write',
  input: { content },
  response: originalFile === null ? {} : { type: 'update', originalFile },
});

/** For a call without an id. Two writes of one answer are approved before either runs, so each intent is found by its own file. */
export function endedOp(hook: Hook, space: HookSpace, files: readonly Target[]): string {
  const { tool_use_id } = hook.input;
  const keys = files.map((file) => pathKey(file.path));
  const stateAt = space.cache.get(keys);
  const intents = keys.flatMap((key) => asPathState(stateAt(key)).intent ?? []);
  const own = intents.find(({ agent, op }) => agent === hook.who.id && op.startsWith(tool_use_id));
  return own?.op ?? opOf(hook);
}
