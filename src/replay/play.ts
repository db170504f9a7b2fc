/** Plays a recording: file changes, guard commands and events in order, each event through a hook process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { GuardError } from '../core/error.ts';
import { textField, type Fields } from '../claude/input.ts';
import type { Env, Machine } from './machine.ts';
import { outcomeOf, SKIPPED, type HookOutcome } from './outcome.ts';
import { deepToScratch, toRecorded, toScratch } from './places.ts';
import { reconstruct } from './reconstruct.ts';
import type { EventStep, FileStep, GuardStep, Recording, Setup, RecordingStep } from './recording.ts';
import type { Scratch } from './scratch.ts';
import { restAfter } from './turn-over.ts';

/** One event and guard's answer. */
export interface Played {
  /** Number of the event in the recording, from 1. */
  readonly at: number;
  readonly line: number;
  readonly event: string;
  readonly tool: string;
  readonly outcome: HookOutcome;
  /** The expectation in the recording itself. */
  readonly expect?: Fields;
}

interface Stage {
  readonly scratch: Scratch;
  readonly machine: Machine;
  /** tool_use_id of every denied call: it has no file change and no PostToolUse. */
  readonly denied: Set<string>;
  readonly played: Played[];
}

const AFTER_CALL = new Set(['PostToolUse', 'PostToolUseFailure']);

export async function play(
  recording: Recording,
  scratch: Scratch,
  machine: Machine,
): Promise<readonly Played[]> {
  const { setup, steps } = reconstruct(recording);
  const stage: Stage = { scratch, machine, denied: new Set(), played: [] };
  await prepare(stage, setup);
  for (const [at, step] of steps.entries()) {
    await playStep(stage, step);
    const rest_ms = restAfter(steps, at);
    if (rest_ms > 0) await sleep(rest_ms);
  }
  return stage.played;
}

async function playStep(stage: Stage, step: RecordingStep): Promise<void> {
  switch (step.kind) {
    case 'event':
      stage.played.push(await playEvent(stage, step));
      break;
    case 'file':
      playFile(stage, step);
      break;
    case 'guard':
      await playGuard(stage, step);
      break;
    case 'expect':
      expectOfLast(stage, step.expect, step.line);
  }
}

async function prepare(stage: Stage, setup: Setup): Promise<void> {
  const { scratch, machine } = stage;
  const { repo } = scratch.places;
  await machine.git(['init', '-q'], repo);
  for (const [path, target] of Object.entries(setup.symlinks)) {
    scratch.change(toScratch(path, scratch.places), { symlink: toScratch(target, scratch.places) });
  }
  const config = setup.config
    ? { '/repo/guard.config.json': `${JSON.stringify(setup.config, null, 2)}\n` }
    : {};
  for (const [path, content] of Object.entries({ ...setup.files, ...config })) {
    scratch.change(toScratch(path, scratch.places), { content: toScratch(content, scratch.places) });
  }
  await machine.git(['add', '-A'], repo);
  await machine.git(['commit', '-q', '--allow-empty', '-m', 'start'], repo);
  for (const path of setup.worktrees)
    await machine.git(['worktree', 'add', '-q', toScratch(path, scratch.places)], repo);
  if (setup.init !== null) await mustRun(stage, ['init', ...setup.init], {}, [0]);
}

/** `exits`: the exit codes that count as an answer. A lock that was not granted is one: the next events show the consequences. */
async function mustRun(
  { machine, scratch }: Stage,
  args: readonly string[],
  env: Env,
  exits: readonly number[],
): Promise<void> {
  const { exit, stderr } = await machine.guard(args, env);
  if (exit !== null && exits.includes(exit)) return;
  throw new GuardError(
    'GUARD_ERR_INPUT',
    `guard ${args.join(' ')} ended with ${exit ?? 'a signal'}: ${toRecorded(stderr.trim(), scratch.places)}`,
    'See docs/replay.md for what a recording may contain.',
  );
}

function playFile({ scratch, denied }: Stage, step: FileStep): void {
  if (step.tool_use_id !== undefined && denied.has(step.tool_use_id)) return;
  const { places } = scratch;
  const change = 'base64' in step.change ? step.change : deepToScratch(step.change, places);
  scratch.change(toScratch(step.path, places), change);
}

async function playGuard(stage: Stage, step: GuardStep): Promise<void> {
  const args = step.args.map((arg) => toScratch(arg, stage.scratch.places));
  await mustRun(stage, args, step.env, [0, 1]);
}

async function playEvent(stage: Stage, step: EventStep): Promise<Played> {
  const { scratch, machine, denied, played } = stage;
  const event = textField(step.payload, 'hook_event_name', 'hookEventName') || 'unknown';
  const tool = textField(step.payload, 'tool_name', 'toolName');
  const id = textField(step.payload, 'tool_use_id', 'toolUseId');
  const base = { at: played.length + 1, line: step.line, event, tool };
  if (AFTER_CALL.has(event) && denied.has(id)) return { ...base, outcome: SKIPPED };
  const cwd = toScratch(textField(step.payload, 'cwd') || '/repo', scratch.places);
  const answer = await machine.hook(toScratch(step.stdin, scratch.places), step.env, cwd);
  const outcome = outcomeOf(answer, event);
  if (event === 'PreToolUse' && outcome.decision === 'deny') denied.add(id);
  const detail = outcome.detail && { detail: toRecorded(outcome.detail, scratch.places) };
  return { ...base, outcome: { ...outcome, ...detail } };
}

function expectOfLast({ played }: Stage, expect: Fields, line: number): void {
  const last = played.pop();
  if (!last)
    throw new GuardError(
      'GUARD_ERR_INPUT',
      `line ${line} expects something before the first event.`,
      'Put "expect" after an event.',
      { line },
    );
  played.push({ ...last, expect });
}
