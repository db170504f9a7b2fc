// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** PostToolUseFailure: the call has ended, and if a person stopped it, so has the turn. */
import { everyStep } from '../../core/every-step.ts';
import { isOn } from '../../fence/site.ts';
import { tendFence } from '../commands/fence-tend.ts';
import { type HookOutput, SILENT } from '../output.ts';
import type { Hook } from '../context.ts';
import { readerPaths, writerPaths } from '../tools.ts';
import { endForeignWait } from './lock-tools.ts';
import { endOps } from './op-end.ts';
import { failedBash } from './bash.ts';
import { readFailed } from './read.ts';
import { interrupted } from './turn-end.ts';

export function failedTool(hook: Hook): HookOutput {
  let output = SILENT;
  everyStep(
    () => (output = ended(hook)),
    () => hook.input.raw['is_interrupt'] === true && interrupted(hook),
  );
  return output;
}

function ended(hook: Hook): HookOutput {
  const { input, home } = hook;
  if (input.tool.endsWith('__lock_wait')) endForeignWait(hook, input);
  const read = readerPaths(input, home.config.mcp);
  if (read !== null) return readFailed(hook, read);
  const written = writerPaths(input, home.config.mcp);
  // A tool that reports its own write as spoiled has written nevertheless.
  if (written !== null && isOn(home.state_dir)) tendFence(hook);
  let output = SILENT;
  everyStep(
    () => endOps(hook, [input.tool_use_id], written ?? []),
    () => /^(?:Bash|PowerShell)$/.test(input.tool) && (output = failedBash(hook)),
  );
  return output;
}
