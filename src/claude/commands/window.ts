/**
 * The time in which a command runs, with the state of the disk before it: opened before the command and closed after it,
 * so that a change can be attributed to the agent that was at work.
 */
import { ifAllowed } from '../../core/attempt.ts';
import { denialOf } from '../../core/denial.ts';
import { staleFile } from '../../core/messages.ts';
import { authorName } from '../../core/drift.ts';
import { byWhom } from '../../core/drift-words.ts';
import { shownAt } from '../../core/shown.ts';
import type { RepoPath } from '../../core/types.ts';
import { gitWords } from '../../git/words.ts';
import type { Effects } from '../../shell/effects.ts';
import { opOf } from '../events/op.ts';
import { asFields, textField } from '../input.ts';
import { deny, type HookOutput } from '../output.ts';
import type { Hook } from '../context.ts';
import type { Command } from './command.ts';
import { noticeAll, placesElsewhere } from './notice-all.ts';
import { changeWindow, isCrowded, putWindow, type WindowFile, windowOf } from './open-windows.ts';
import { sweepWindows } from './sweep-windows.ts';
import { candidatesFor, learnShown } from './seen.ts';

/** Before the check: changes up to now are not this command's. A commit waits until the agent knows what it must know. */
export function lookBefore(hook: Hook, command: Command): HookOutput | null {
  noticeAll(hook, { op: opOf(hook), hears: false, before: true });
  const held = (hook.home.agent()?.drifted ?? []).filter((one) => one.held === true);
  const wasTold = hook.home.named?.hasTold?.('drift.told');
  return (held.length > 0 || wasTold) && commits(hook, command)
    ? beforeCommit(
        hook,
        held.map(({ path }) => path),
      )
    : null;
}

/** Parses the line, so that only a commit counts, not the word in a format, a path or a pattern. */
function commits({ input }: Hook, command: Command): boolean {
  if (!/\bgit\b[^]*\b(?:commit|push)\b/.test(command.line)) return false;
  if (input.tool === 'PowerShell') return true;
  return command
    .effects()
    .git.some(({ args, cwd }) => /^(?:commit|push)$/.test(gitWords(args, cwd).command ?? ''));
}

/** Once informed, the agent may commit anyway: the next attempt passes. */
function beforeCommit(hook: Hook, paths: readonly RepoPath[]): HookOutput | null {
  const { home, who } = hook;
  const lost = home.run({ type: 'drift.told', who, only: paths });
  const denial = denialOf(
    lost.map((one) => {
      const here = home.facts();
      const at = shownAt(here.spelled?.(one.path) ?? one.path, one.path, here);
      const cause = one.to === null ? ('target_missing' as const) : ('modified' as const);
      const facts = {
        baseline_hash: one.from,
        current_disk_hash: one.to,
        cause,
        changed_by: authorName(one),
      };
      const stale = staleFile(at, facts);
      const hint = `You hold this file, and it was changed ${byWhom(one)}. Look at it, then run the same command again.`;
      return { ...stale, details: { ...stale.details, hint } };
    }),
  );
  return denial === null ? null : deny(denial);
}

export function openWindow(hook: Hook, command: Command): void {
  const { home, who, now, dry } = hook;
  const candidates = candidatesFor(hook, command);
  if (dry) return;
  const window: WindowFile = {
    v: 1,
    agent: who.id,
    op: opOf(hook),
    since_ms: now.wall_ms,
    until_ms: null,
    task: null,
    in_background: command.in_background,
    ...namedBy(hook, command),
    candidates,
  };
  if (isCrowded(home.state_dir)) sweepWindows(home.state_dir, now.wall_ms);
  for (const dir of stateDirsOf(hook)) putWindow(dir, window);
}

/** Targets are null if the line was not parsed. Parsing it only for this would cost more than it is worth. */
function namedBy(hook: Hook, command: Command): Pick<WindowFile, 'targets' | 'marked'> {
  const effects = command.known();
  if (effects === undefined) return { targets: null };
  const marked = effects.targets.filter(({ act }) => act === 'attributes').slice(0, MARKED_MAX);
  return {
    targets: pathsOf(
      hook,
      effects.targets.filter(({ act }) => act !== 'attributes'),
    ),
    ...(marked.length > 0 ? { marked: pathsOf(hook, marked) } : {}),
  };
}

const MARKED_MAX = 64;

function pathsOf(hook: Hook, targets: Effects['targets']): readonly RepoPath[] {
  return targets.flatMap(({ path, is_tree }) => {
    const target = ifAllowed(() => hook.resolve(path), null);
    return target === null ? [] : [is_tree === true ? `${target.path}/` : target.path];
  });
}

/** The agent's own ledger, and those of other repositories where it wrote. */
const stateDirsOf = (hook: Hook): readonly string[] =>
  [hook.home, ...placesElsewhere(hook)].map(({ state_dir }) => state_dir);

/** Returns the notes about changes made in the meantime. */
export function closeWindow(hook: Hook, command: Command): readonly string[] {
  const { home, who, now, input, dry } = hook;
  const op = opOf(hook);
  const window = windowOf(home.state_dir, who.id, op);
  learnShown(hook, command, window?.candidates ?? {});
  const notes = noticeAll(hook, { op, hears: true, before: false });
  if (window === null || dry) return notes;
  const task = textField(asFields(input.tool_response), 'backgroundTaskId');
  const runs_on = task !== '' || (window.in_background && input.event === 'PostToolUse');
  const changed = runs_on ? { ...window, task, in_background: true } : { ...window, until_ms: now.wall_ms };
  for (const dir of stateDirsOf(hook)) changeWindow(dir, changed);
  return notes;
}
