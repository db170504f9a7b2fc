/** PreToolUse of Bash: what the line would write, judged before it runs. */
import type { HookOutput } from '../output.ts';
import type { Scene } from '../scene.ts';
import { judgeRedirects } from '../shell/redirects.ts';
import type { Command } from './command.ts';

/** Null: no objection; what the command holds until it ends is on record then. */
export function judgeCommand(scene: Scene, { line }: Command): HookOutput | null {
  return WRITES.test(line) ? judgeRedirects(scene) : null;
}

/** More than `2>&1` and `> /dev/null`. */
const WRITES = />(?!&\d|>?\s*\/dev\/)|\btee\b/;

/** PostToolUse and PostToolUseFailure: what it held ends, unless a part of it runs on in the background. */
export function endCommand(_scene: Scene, _command: Command): void {
  return;
}
