// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Ends windows that no PostToolUse ends: at batches, prompts, turns, sessions. Looks for changes at these events. */
import { asText } from '../input.ts';
import type { HookInput } from '../hook-input.ts';
import type { Hook } from '../context.ts';
import { noticeAll } from './notice-all.ts';
import { changeWindow, endWindows, windowOf } from './open-windows.ts';
import { sweepWindows } from './sweep-windows.ts';
import { dropBook } from './watch-book.ts';

const AT_END = { op: '', before: false };

/** PostToolBatch: ends commands that were refused or never reported, and tasks that the batch itself stopped. */
export function afterBatch(hook: Hook, calls: readonly HookInput[]): readonly string[] {
  const { home, who, now, dry } = hook;
  if (dry) return [];
  for (const { tool, tool_use_id } of calls) {
    const window = SHELLS.test(tool) ? windowOf(home.state_dir, who.id, tool_use_id) : null;
    if (window?.until_ms === null && !window.in_background)
      changeWindow(home.state_dir, { ...window, until_ms: now.wall_ms, unheard: true });
  }
  const stopped = calls.flatMap(({ tool, tool_input }) => (STOPS.test(tool) ? [taskIn(tool_input)] : []));
  if (stopped.length > 0) endTasks(hook, stopped);
  // Its commands looked for changes themselves a moment ago.
  const has_looked = calls.length > 0 && calls.every(({ tool }) => SHELLS.test(tool));
  return has_looked ? [] : noticeAll(hook, { ...AT_END, hears: true });
}

const SHELLS = /^(?:Bash|PowerShell)$/;
const STOPS = /^(?:KillShell|KillBash|TaskStop)$/;

const taskIn = (input: HookInput['tool_input']): string =>
  asText(input['task_id'] ?? input['shell_id'] ?? input['bash_id']);

function endTasks({ home, now }: Hook, tasks: readonly string[]): void {
  endWindows(home.state_dir, now.wall_ms, ({ task }) => task !== null && tasks.includes(task));
}

/** @param finished the background tasks that the client reports as ended; null: a person's prompt */
export function atPrompt(hook: Hook, finished: readonly string[] | null): readonly string[] {
  const { home, who, now, dry } = hook;
  const notes = noticeAll(hook, { ...AT_END, hears: true });
  if (dry) return notes;
  if (finished !== null) endTasks(hook, finished);
  else
    endWindows(home.state_dir, now.wall_ms, ({ agent, in_background }) => agent === who.id && !in_background);
  return notes;
}

/** Notes found here wait for the next prompt. `running`: background tasks; null if the client does not say. */
export function atTurnEnd(hook: Hook, running: readonly string[] | null): void {
  const { home, who, now, dry } = hook;
  noticeAll(hook, { ...AT_END, hears: false });
  if (dry) return;
  endWindows(
    home.state_dir,
    now.wall_ms,
    ({ agent, in_background, task }) =>
      agent === who.id && (!in_background || (running !== null && task !== null && !running.includes(task))),
  );
}

export function atSessionEnd(hook: Hook): void {
  const { home, who, now, dry } = hook;
  if (dry) return;
  const isOfSession = (agent: string): boolean => agent === who.id || agent.startsWith(`${who.id}/`);
  endWindows(home.state_dir, now.wall_ms, ({ agent }) => isOfSession(agent));
  sweepWindows(home.state_dir, now.wall_ms);
  dropBook(home.state_dir, who.id);
}
