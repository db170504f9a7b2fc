/** Whether a call that could not be judged must be taken for a write. */
import type { HookInput } from '../input.ts';
import { cannotWrite, type McpTools, writerPaths } from '../tools.ts';
import { knownPaths } from './known.ts';
import { toolOnlyLooks } from './names.ts';

/**
 * `here` may throw, as a broken configuration does: then nobody knows which tools it calls writers, and a tool that names
 * a path and does not say that it only looks is taken for one.
 */
export function mayWrite(input: HookInput, here: () => McpTools): boolean {
  if (cannotWrite(input.tool)) return false;
  if (!input.tool.startsWith('mcp__')) return true;
  try {
    return writerPaths(input, here()) !== null;
  } catch {
    if (knownPaths(input, 'writers') !== null) return true;
    return (
      !toolOnlyLooks(input.tool) && Object.keys(input.tool_input).some((name) => /path|file|uri/i.test(name))
    );
  }
}
