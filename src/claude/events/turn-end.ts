// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The end of a turn, what may still reverse it, and what does (design section 4). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ifAllowed } from '../../core/attempt.ts';
import { type GuardError, isGuardError } from '../../core/error.ts';
import { everyStep } from '../../core/every-step.ts';
import type { AgentState } from '../../core/types.ts';
import { HOOK_TIMEOUT_MS, otherStopHooks_ms } from '../../install/stop-hooks.ts';
import { locateRepo } from '../../repo/locate.ts';
import { mainRoot } from '../../repo/main-root.ts';
import { dropWorktree } from '../../worktrees/drop.ts';
import { asFields, asText, textField } from '../input.ts';
import { type HookOutput, SILENT } from '../output.ts';
import type { HookSpace, Hook } from '../context.ts';
import { writerPaths } from '../tools.ts';
import { atTurnEnd } from '../commands/window-ends.ts';
import { isLocated, locate } from './targets.ts';

export function stop(hook: Hook): HookOutput {
  const asks = hook.input.event === 'Stop';
  end(hook, asks ? (othersMayTake_ms(hook, 'Stop') ?? GRACE_MS) : GRACE_MS);
  return SILENT;
}

/** A person stopped the call, and with it the turn. Newer clients rarely report this. */
export const interrupted = (hook: Hook): void => end(hook, GRACE_MS);

function end(hook: Hook, grace_ms: number): void {
  const { home, who, input } = hook;
  const running = runningCommands(input.raw['background_tasks']);
  everyStep(
    () => atTurnEnd(hook, running),
    () => endElsewhere(hook, home.run({ type: 'turn.end', who, running, grace_ms }), grace_ms),
  );
}

/** An event of a turn that continues may arrive a moment after the one that ended it. */
const GRACE_MS = 3_000;

/**
 * How long another hook may take to send the agent back to work; in any case a silent agent's leases yield to others.
 * Null: there is no such hook.
 */
function othersMayTake_ms({ input, home, env }: Hook, event: 'Stop' | 'SubagentStop'): number | null {
  if (input.host !== 'claude') return null;
  // If one has already done so, it exists, whether it can be seen or not.
  const unseen_ms = input.raw['stop_hook_active'] === true ? HOOK_TIMEOUT_MS : 0;
  const root = env['CLAUDE_PROJECT_DIR'] ?? home.repo.root;
  const hooks_ms = otherStopHooks_ms(event, root, env) || unseen_ms;
  return hooks_ms === 0 ? null : Math.max(GRACE_MS, Math.min(hooks_ms, home.facts().policy.idle_ms));
}

/** Compaction ends with a SubagentStop without a subagent: only an agent that joined can leave. */
export function subagentStop(hook: Hook): HookOutput {
  const { home, who, input } = hook;
  const state = who.kind === 'subagent' ? home.agent() : undefined;
  // Whether a background command keeps it alive is then decided when the end of its turn is recorded.
  if (state === undefined && who.kind === 'subagent' && home.isAgentMissed()) end(hook, GRACE_MS);
  if (state === undefined) return SILENT;
  const running = runningCommands(input.raw['background_tasks']);
  // Its own background command will wake it again; until then the files that it writes stay leased.
  const busy = state.background.some((task) => running === null || running.includes(task));
  const grace_ms = othersMayTake_ms(hook, 'SubagentStop');
  if (busy || grace_ms !== null) end(hook, grace_ms ?? GRACE_MS);
  else
    everyStep(
      () => atTurnEnd(hook, running),
      // Before it leaves: its turn to change the list of worktrees belongs to it.
      () => dropMade(hook, textField(input.raw, 'agent_id')),
      () => endElsewhere(hook, home.run({ type: 'agent.leave', who, reason: 'subagent_stop' })),
    );
  return SILENT;
}

/** The client leaves a worktree created by a hook in place; guard removes those that it created if nothing was done in them. */
export function dropMade({ home, who, env }: Hook, agent: string): void {
  const { repo } = home;
  const dir = join(mainRoot(repo), '.claude', 'worktrees', `agent-${agent}`);
  if (!/^\w+$/.test(agent) || !existsSync(dir)) return;
  dropWorktree({ repo, dir, env, space: { ...home, who } });
}

/** Ends the turn in the ledgers of other repositories where the agent wrote, except what a background command may still write. */
export function endElsewhere(hook: Hook, { background, live }: AgentState, grace_ms = 0): void {
  if (background.length > 0) return;
  const { who } = hook;
  const failures = elsewhere(hook, (other) => {
    if (live) other.run({ type: 'turn.end', who, running: [], grace_ms });
    else other.run({ type: 'agent.leave', who, reason: 'elsewhere' });
  });
  const [failure] = failures;
  if (failure !== undefined) throw failure;
}

/** Acts in each of those ledgers, even if another one fails. Returns the failures. */
function elsewhere(hook: Hook, act: (space: HookSpace) => void): GuardError[] {
  const failures: GuardError[] = [];
  for (const root of hook.home.baselines.elsewhere()) {
    try {
      act(hook.workspace(locateRepo(root)));
    } catch (error) {
      if (!isGuardError(error)) throw error;
      failures.push(error);
    }
  }
  return failures;
}

/** Running commands by task id; a running subagent has its own leases. Null: the client does not report them. */
function runningCommands(tasks: unknown): string[] | null {
  if (!Array.isArray(tasks)) return null;
  return tasks
    .map(asFields)
    .filter((task) => task['type'] !== 'subagent' && task['status'] === 'running')
    .map((task) => asText(task['id']));
}

/** An event of an agent that had reported the end of its turn: if it belongs to that turn, the agent was sent back to work. */
export function goOn(hook: Hook): void {
  if (!isAtWork(hook)) return;
  const { home, who } = hook;
  // A write reverses it itself, in the transaction that checks it.
  const judged = judgedSpaces(hook);
  const work = (space: HookSpace): void => {
    if (!judged.has(space)) space.run({ type: 'agent.present', who, at_work: true });
  };
  // The end of a call is recorded whether this succeeds or not.
  if (hook.input.event.startsWith('Post')) ifAllowed(() => work(home), undefined);
  else work(home);
  // This event is not about them: a failure there is reported when one of their files is used.
  elsewhere(hook, work);
}

const AT_WORK = /^(?:Pre|Post)Tool/;

const isAtWork = ({ input }: Hook): boolean =>
  (AT_WORK.test(input.event) && input.raw['is_interrupt'] !== true) ||
  (input.event === 'UserPromptSubmit' && finishedTasks(textField(input.raw, 'prompt')) !== null);

function judgedSpaces(hook: Hook): ReadonlySet<HookSpace> {
  const { input, home } = hook;
  const paths = input.event === 'PreToolUse' ? writerPaths(input, home.config.mcp) : null;
  return new Set(
    locate(hook, paths ?? [])
      .filter(isLocated)
      .map(({ space }) => space),
  );
}

/** The client itself prompts when a background task ends; that is not a new turn. */
export function finishedTasks(prompt: string): string[] | null {
  if (!prompt.startsWith('<task-notification>')) return null;
  return [...prompt.matchAll(/<task-id>([^<]{1,200})<\/task-id>/g)].map((match) => match[1] ?? '');
}
