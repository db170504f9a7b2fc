// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Sessions, prompts, subagents: joining, turns, leaving (design section 4). */
import { startTidy } from '../start-tidy.ts';
import { contentsDir } from '../../contents/entry.ts';
import { isSweepDue } from '../../repo/sweep-due.ts';
import { seenDir } from '../../workspace/seen.ts';
import { compactIsDue } from '../../store/upkeep.ts';
import { everyStep } from '../../core/every-step.ts';
import { rfc3339 } from '../../core/rfc3339.ts';
import { agentKey } from '../../core/keys.ts';
import { asAgentState } from '../../core/states.ts';
import type { AgentState } from '../../core/types.ts';
import { readOff } from '../../install/off.ts';
import { withNotices } from './notices.ts';
import { endCall } from './open-call.ts';
import { tellPerson } from './tell-person.ts';
import { dropMade, endElsewhere, finishedTasks } from './turn-end.ts';
import { atPrompt, atSessionEnd } from '../commands/window-ends.ts';
import { bypassesOf } from '../commands/bypasses.ts';
import { besideNow } from './beside.ts';
import { briefing, neighbours, unjoinedNote, welcome } from './welcome.ts';
import { endTasks } from '../commands/ended.ts';
import { setUpFence } from '../commands/fence-start.ts';
import { asFields, textField } from '../input.ts';
import { context, type HookOutput, SILENT } from '../output.ts';
import { noteWorktree } from '../made-for.ts';
import { pluginNote } from '../plugin-note.ts';
import type { HookSpace, Hook } from '../context.ts';

export function sessionStart(hook: Hook): HookOutput {
  const { home, who, now, input } = hook;
  // A compaction can also happen in mid-turn.
  home.run({ type: 'agent.present', who, begins: textField(input.raw, 'source') !== 'compact' });
  const is_alone = noteWorktree(hook);
  const fence = setUpFence(hook);
  const swept = [contentsDir(home.state_dir), seenDir(home.state_dir)];
  const isLong = !home.store.supports.shared && compactIsDue(home.state_dir);
  if (!hook.dry && (isLong || swept.some((dir) => isSweepDue(dir, now.wall_ms)))) startTidy(home, '--if-due');
  const notes = [
    welcome(home, is_alone),
    unjoinedNote(home),
    neighbours(home),
    besideNow(home),
    offNote(hook),
    pluginNote(hook.env),
    fence,
  ];
  return tellPerson(withNotices(hook, context('SessionStart', notes)), oldLauncher());
}

/** A launcher declares its version; that of 0.1 does not, and lets writes pass if guard is broken. */
function oldLauncher(): string {
  const started = process.argv[1] ?? '';
  const says = (globalThis as Readonly<Record<symbol, unknown>>)[Symbol.for('guard.launcher')];
  if (!started.endsWith('guard-hook.cjs') || says !== undefined) return '';
  return `guard: ${started} is from an older guard and lets writes pass if guard is broken. Run: guard init, then commit the file.`;
}

export function userPrompt(hook: Hook): HookOutput {
  const { home, who, input } = hook;
  const finished = finishedTasks(textField(input.raw, 'prompt'));
  const changes = atPrompt(hook, finished);
  if (finished === null) beginTurn(hook);
  else {
    if (home.agent()?.commands) endTasks(hook, finished);
    home.run({ type: 'background', who, started: [], finished });
  }
  const reports = (finished ?? []).map((task) => done(hook, task));
  return context('UserPromptSubmit', [...changes, ...reports, offNote(hook)]);
}

/** It is not known what other clients send in mid-turn. */
function beginTurn(hook: Hook): void {
  const { home, who, input } = hook;
  const { agent, is_new } = home.run({ type: 'turn.start', who, may_continue: input.host === 'claude' });
  if (is_new) endElsewhere(hook, agent);
}

export function subagentStart(hook: Hook): HookOutput {
  const { home, who } = hook;
  home.run({ type: 'turn.start', who });
  return context('SubagentStart', [briefing(home, noteWorktree(hook))]);
}

export function sessionEnd(hook: Hook): HookOutput {
  const { home, who, input } = hook;
  atSessionEnd(hook);
  const reason = `session_end:${textField(input.raw, 'reason') || 'other'}`;
  endElsewhere(hook, home.run({ type: 'agent.leave', who, reason }));
  return SILENT;
}

/** A finished foreground subagent: refusals to it concern the agent that started it. No one waits for a background one. */
export function agentDone(hook: Hook): HookOutput {
  const { home, who, input } = hook;
  const response = asFields(input.tool_response);
  const id = textField(response, 'agentId');
  const isLaunched = response['status'] === 'async_launched' && id !== '';
  everyStep(
    () => endCall(hook),
    () => isLaunched && home.run({ type: 'agent.detached', who, agent: `${who.parent ?? who.id}/${id}` }),
  );
  if (response['status'] !== 'completed') return SILENT;
  return context('PostToolUse', [done(hook, id)]);
}

/** The note for the session about a subagent that has ended. If another hook could have sent it back to work, it leaves only now. */
function done(hook: Hook, name: string): string {
  const { home, who } = hook;
  const parent = who.parent ?? who.id;
  const id = `${parent}/${name}`;
  const key = agentKey(id);
  const state = asAgentState(home.store.look([key]).get(key));
  if (state?.live === true && state.turn_over && state.background.length === 0)
    home.run({ type: 'agent.leave', who: { ...who, id, kind: 'subagent', parent }, reason: 'subagent_done' });
  dropMade(hook, name);
  return [denialsOf(home, id, state), bypassesOf(home, id, state)].filter((note) => note !== '').join('\n\n');
}

/** Reports refused writes of a subagent, except those that succeeded later. */
function denialsOf(home: HookSpace, subagent: string, state: AgentState | undefined): string {
  const missing = state?.refused?.turn === state?.turn ? (state?.refused?.paths ?? []) : [];
  if (missing.length === 0) return '';
  const names = [...new Set(missing)].map((path) => JSON.stringify(path));
  const more = names.length > FILES_SHOWN ? `, and ${names.length - FILES_SHOWN} more` : '';
  const files = `${names.slice(0, FILES_SHOWN).join(', ')}${more}`;
  const writes = `${missing.length} write${missing.length === 1 ? '' : 's'}`;
  const log = `${home.facts().guard_command} log --type write.rejected --agent ${subagent}`;
  return `guard refused ${writes} of subagent ${subagent} (${files}); its work may be incomplete. Details: ${log}`;
}

const FILES_SHOWN = 5;

function offNote({ home, now }: Hook): string {
  const off = readOff(home.state_dir, now);
  return off === null
    ? ''
    : `guard is switched off until ${rfc3339(off.until_wall_ms)}: writes are not checked.`;
}
