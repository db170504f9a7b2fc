/** Sessions, prompts, subagents: joining, turns, leaving (design section 4). */
import { agentKey } from '../../core/keys.ts';
import { statusOf } from '../../core/report.ts';
import { asAgentState } from '../../core/states.ts';
import type { AgentState } from '../../core/types.ts';
import { locateRepo } from '../../repo/locate.ts';
import { otherHosts } from '../../install/other-hosts.ts';
import { readOff } from '../../install/off.ts';
import { withNotices } from './notices.ts';
import { tellPerson } from './tell-person.ts';
import { compactIfDue } from './tidy.ts';
import { sweepBaselines } from '../baseline-sweep.ts';
import { asFields, asText, textField } from '../input.ts';
import { context, SILENT } from '../output.ts';
import { pluginNote } from '../plugin-note.ts';
import type { HookOutput } from '../output.ts';
import type { Place, Scene } from '../scene.ts';

export function sessionStart(scene: Scene): HookOutput {
  const { home, who, now } = scene;
  home.run({ type: 'agent.present', who });
  sweepBaselines(home.state_dir, now.wall_ms);
  compactIfDue(home);
  const notes = [welcome(home), neighbours(home), offNote(scene), pluginNote(scene.env)];
  return tellPerson(withNotices(scene, context('SessionStart', notes)), oldLauncher());
}

/** A launcher says of itself which one it is; that of 0.1 does not, and lets writes pass where guard is broken. */
function oldLauncher(): string {
  const started = process.argv[1] ?? '';
  const says = (globalThis as Readonly<Record<symbol, unknown>>)[Symbol.for('guard.launcher')];
  if (!started.endsWith('guard-hook.cjs') || says !== undefined) return '';
  return `guard: ${started} is of an older guard and lets writes pass where guard is broken. Run: guard init, then commit the file.`;
}

/**
 * What an agent must know before its first write: the workflow in five lines, and who holds what.
 * Short, because every session pays for it.
 */
function welcome(home: Place): string {
  const { repo, facts } = home;
  if (!repo.initialised || facts.policy.enforcement === 'off') return '';
  const held = heldNow(home);
  const steps = facts.lock_tool ? toolWorkflow(facts.lock_tool) : workflow(facts.guard_command);
  return [...(facts.policy.enforcement === 'auto' ? AUTOMATIC : steps), ...held].join('\n');
}

/** Whoever works here should know that some writes take no locks. */
function neighbours({ repo, facts }: Place): string {
  if (!repo.initialised || facts.policy.enforcement === 'off') return '';
  const hosts = otherHosts(repo.root);
  return hosts.length === 0
    ? ''
    : `Configured here without guard, so their writes take no locks: ${hosts.join(', ')}`;
}

const workflow = (guard: string): string[] => [
  'Several agents may work in this repository; guard keeps their edits apart. A file must be locked before you write it:',
  `1. Lock ALL files you plan to change with one Bash call: ${guard} lock try FILE...`,
  '2. Look at the result: work on the files you got; note who holds the others.',
  `3. For those, wait: ${guard} lock wait FILE... --timeout 60s`,
  '4. Edit the files you have locked.',
  `5. When done, give them back: ${guard} lock release FILE... (the end of your turn does it too)`,
  'A refused write says in details.next what to do, in order.',
];

/** Where the lock tools are registered. `tool` is the full name of lock_try. */
const toolWorkflow = (tool: string): string[] => [
  'Several agents may work in this repository; guard keeps their edits apart. A file must be locked before you write it:',
  `1. Call ${tool} with ALL files you plan to change.`,
  '2. Look at the results: work on the files you got; note who holds the others.',
  `3. For those, call ${tool.replace(/try$/, 'wait')} with a reasonable timeout.`,
  '4. Edit the files you have locked.',
  `5. When done, call ${tool.replace(/try$/, 'release')} (the end of your turn does it too).`,
  'A refused write says in details.next what to do, in order.',
];

const AUTOMATIC = [
  'Several agents may work in this repository; guard keeps their edits apart. Your first write of a file locks it for you until your turn ends.',
  'A refused write says in details.next what to do, in order.',
];

const HELD_SHOWN = 12;

function heldNow({ store, facts }: Place): string[] {
  const { leases } = store.lookSync((view) => statusOf(view, facts));
  if (leases.length === 0) return [];
  const shown = leases
    .slice(0, HELD_SHOWN)
    .map((lease) => `${JSON.stringify(lease.path)} by ${lease.holder}`);
  const more = leases.length > HELD_SHOWN ? `, and ${leases.length - HELD_SHOWN} more` : '';
  return [`Locked now: ${shown.join(', ')}${more}`];
}

export function userPrompt(scene: Scene): HookOutput {
  const { home, who, input } = scene;
  const finished = finishedTasks(textField(input.raw, 'prompt'));
  if (finished === null) endElsewhere(scene, home.run({ type: 'turn.start', who }));
  else home.run({ type: 'background', who, started: [], finished });
  const reports = (finished ?? []).map((task) => denialsOf(home, `${who.id}/${task}`));
  return context('UserPromptSubmit', [...reports, offNote(scene)]);
}

/** The client itself prompts when a background task ends: that is no new turn. */
export function finishedTasks(prompt: string): string[] | null {
  if (!prompt.startsWith('<task-notification>')) return null;
  return [...prompt.matchAll(/<task-id>([^<]{1,200})<\/task-id>/g)].map((match) => match[1] ?? '');
}

export function subagentStart({ home, who }: Scene): HookOutput {
  home.run({ type: 'turn.start', who });
  return SILENT;
}

/** Compaction ends with a SubagentStop of nobody: only an agent that joined can leave. */
export function subagentStop(scene: Scene): HookOutput {
  const { home, who, input } = scene;
  const state = who.kind === 'subagent' ? home.agent() : undefined;
  if (state === undefined) return SILENT;
  const running = runningCommands(input.raw['background_tasks']);
  // Its own background command wakes it up again; until then what it writes to stays leased.
  const busy = state.background.some((task) => running === null || running.includes(task));
  if (busy) home.run({ type: 'turn.end', who, running });
  else endElsewhere(scene, home.run({ type: 'agent.leave', who, reason: 'subagent_stop' }));
  return SILENT;
}

export function stop(scene: Scene): HookOutput {
  const { home, who, input } = scene;
  const running = runningCommands(input.raw['background_tasks']);
  endElsewhere(scene, home.run({ type: 'turn.end', who, running }));
  return SILENT;
}

/** The ledgers of other repositories that the agent wrote in; what a background command may still write to stays. */
function endElsewhere(scene: Scene, { background, live }: AgentState): void {
  if (background.length > 0) return;
  const { home, who } = scene;
  for (const root of home.baselines.elsewhere()) {
    const other = scene.place(locateRepo(root));
    if (live) other.run({ type: 'turn.end', who, running: [] });
    else other.run({ type: 'agent.leave', who, reason: 'elsewhere' });
  }
}

/** Running commands by task id: a running subagent keeps leases of its own. Null: the client does not say. */
function runningCommands(tasks: unknown): string[] | null {
  if (!Array.isArray(tasks)) return null;
  return tasks
    .map(asFields)
    .filter((task) => task['type'] !== 'subagent' && task['status'] === 'running')
    .map((task) => asText(task['id']));
}

export function sessionEnd(scene: Scene): HookOutput {
  const { home, who, input } = scene;
  const reason = `session_end:${textField(input.raw, 'reason') || 'other'}`;
  endElsewhere(scene, home.run({ type: 'agent.leave', who, reason }));
  return SILENT;
}

/** A finished foreground subagent: what was refused to it concerns the one who sent it. */
export function agentDone({ home, who, input }: Scene): HookOutput {
  const response = asFields(input.tool_response);
  if (response['status'] !== 'completed') return SILENT;
  return context('PostToolUse', [denialsOf(home, `${who.id}/${textField(response, 'agentId')}`)]);
}

/** Of what was refused to a subagent, only what it did not get done later. */
function denialsOf(home: Place, subagent: string): string {
  const key = agentKey(subagent);
  const state = asAgentState(home.store.readSync([key]).get(key));
  const missing = state?.refused?.turn === state?.turn ? (state?.refused?.paths ?? []) : [];
  if (missing.length === 0) return '';
  const names = [...new Set(missing)].map((path) => JSON.stringify(path));
  const more = names.length > FILES_SHOWN ? `, and ${names.length - FILES_SHOWN} more` : '';
  const files = `${names.slice(0, FILES_SHOWN).join(', ')}${more}`;
  const writes = `${missing.length} write${missing.length === 1 ? '' : 's'}`;
  const log = `${home.facts.guard_command} log --type write.rejected --agent ${subagent}`;
  return `guard refused ${writes} of subagent ${subagent} (${files}); its work may be incomplete. Details: ${log}`;
}

const FILES_SHOWN = 5;

function offNote({ home, now }: Scene): string {
  const off = readOff(home.state_dir, now);
  return off === null
    ? ''
    : `guard is switched off until ${new Date(off.until_wall_ms).toISOString()}: writes are not checked.`;
}
