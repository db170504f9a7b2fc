/**
 * Writes whose end no event reports: a patch that failed, or one that the client extracted from a shell command. They count as ended at
 * the agent's next event, and the files on disk show the outcome.
 */
import { resolve } from 'node:path';
import { asFields, asText, type Fields } from '../fields.ts';
import { endOps } from '../events/op-end.ts';
import { isLocated, locate } from '../events/targets.ts';
import { postWrite } from '../events/write-post.ts';
import { callAt } from '../hosts/originals.ts';
import type { Hook } from '../context.ts';
import { type HookOutput, SILENT } from '../output.ts';
import { digestFile } from '../../repo/digest.ts';
import { parsedObject } from '../../core/json-object.ts';
import { verifyWrite } from '../text/expected.ts';

/** Kept next to the agent's baselines, and removed with them. */
const OPEN = '//open/call';

interface Open {
  readonly tool: string;
  readonly tool_use_id: string;
  readonly tool_input: Fields;
  readonly paths: readonly string[];
  readonly cwd: string;
}

/** Called after a write was approved. */
export function noteOpen({ home, input }: Hook): void {
  const { tool, tool_use_id, tool_input, paths = [], cwd } = input;
  const open: Open = { tool, tool_use_id, tool_input, paths, cwd };
  home.baselines.keepText(OPEN, JSON.stringify(open));
}

/** Called before any other handling of an event. Returns the notes about the earlier write. */
export function endUnreported(hook: Hook): HookOutput {
  const { home, input } = hook;
  const open = openIn(parsedObject(home.baselines.takeText(OPEN)));
  if (open === null || open.tool_use_id === input.tool_use_id) return SILENT;
  const past: Hook = {
    ...hook,
    input: { ...input, ...open, event: 'PostToolUse', tool_response: undefined },
    resolve: (path) => hook.resolve(resolve(open.cwd, path)),
  };
  if (isWritten(past)) return postWrite(past, open.paths);
  endOps(past, [open.tool_use_id], open.paths);
  return SILENT;
}

function openIn(told: Fields): Open | null {
  const { tool, tool_use_id, paths, cwd } = told;
  if (!Array.isArray(paths) || asText(tool) === '') return null;
  return {
    tool: asText(tool),
    tool_use_id: asText(tool_use_id),
    tool_input: asFields(told['tool_input']),
    paths: paths.map(asText),
    cwd: asText(cwd),
  };
}

/** Whether every file is as the call would leave it. Any other content is someone else's change, or no change at all. */
function isWritten(past: Hook): boolean {
  const files = locate(past, past.input.paths ?? []).filter(isLocated);
  return files.every(({ space, target }) => {
    const { bytes = null } = digestFile(target.real, { deadline: past.deadline, want_bytes: true });
    const call = callAt({ hook: past, space }, target, bytes, 'look');
    return call.leaves_none === true ? bytes === null : verifyWrite(call, bytes).written === 'as_expected';
  });
}
