import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isBelieved } from '../../repo/known/belief.ts';
import { checking, type CheckResult, fail, type Finding, ok, type Patient, warn } from '../check.ts';
import { guardSources, type HookSource } from '../hook-sources.ts';
import { matcherMatches } from '../matcher.ts';
import { readOff } from '../off.ts';
import { readPause } from '../user-pause.ts';
import { denialIn, whyNotDenied } from './live-answer.ts';
import { whyNotRun } from './runnable.ts';

/** Two more after one that was slow, which a busy moment can make it. Each costs two starts of Node. */
const MORE_RUNS = 2;
const TIMEOUT_MS = 60_000;
/** Measured on an idle machine: 2 to 3 times an empty Node, including launcher and shell; load affects both. */
const SLOW = 6;

/**
 * Sends what the client would send, through the installed command line and the shell that the client uses: a Write into
 * guard's own state, which must be denied under all circumstances. guard checks it and records nothing, because it knows
 * the session by its name (claude/hook.ts).
 */
export const live = checking('live', (patient, before) => {
  if (!patient.repo.initialised) return [];
  return guardSources(patient).flatMap((source) => judge(source, patient, before));
});

function judge(source: HookSource, patient: Patient, before: readonly CheckResult[]): readonly Finding[] {
  const line = source.lines.find(
    ({ event, matcher }) => event === 'PreToolUse' && matcherMatches(matcher, 'Write'),
  );
  if (line === undefined) return [];
  const not_run = whyNotRun(line.command, source, patient);
  if (not_run !== null) return [not_run];
  const round = (): Round => ({ empty_ms: emptyMs(patient), run: send(line.command, source, patient) });
  const first = round();
  const rounds = isSlow(first.run.took_ms, first.empty_ms)
    ? [first, ...Array.from({ length: MORE_RUNS }, round)]
    : [first];
  const runs = rounds.map(({ run }) => run);
  const [median_ms, empty_ms] = [
    median(runs.map(({ took_ms }) => took_ms)),
    median(rounds.map((one) => one.empty_ms)),
  ];
  const { exit, code, stdout } = runs.find(({ problem }) => problem !== null) ?? runs[0] ?? NOTHING;
  const facts = { command: line.command, from: source.path, median_ms, empty_ms, exit, code, stdout };
  const bad = runs.find(({ problem }) => problem !== null);
  if (bad !== undefined && bad.problem !== null) {
    const message = `A live event through the ${source.name} was not denied as expected: ${bad.problem}`;
    return [notDenied(message, facts, patient, before)];
  }
  const message = `A live event through the ${source.name} was denied as expected, in ${median_ms} ms (an empty Node: ${empty_ms} ms)`;
  if (!isSlow(median_ms, empty_ms)) return [ok(message, { facts })];
  const hint = 'That is slow. Is the state directory on a slow disk?';
  return [warn(message, { facts, hint })];
}

interface Round {
  readonly empty_ms: number;
  readonly run: ReturnType<typeof send>;
}

const isSlow = (took_ms: number, empty_ms: number): boolean => took_ms >= SLOW * empty_ms;

const NOTHING = { exit: null, code: null, stdout: '' };

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The same Node with nothing to do, at the same moment. */
function emptyMs({ env }: Patient): number {
  const started = process.hrtime.bigint();
  spawnSync(process.execPath, ['-e', ''], { env, stdio: 'ignore', timeout: TIMEOUT_MS });
  return Math.max(1, Math.round(Number(process.hrtime.bigint() - started) / 1e6));
}

function notDenied(
  message: string,
  facts: Finding['facts'],
  { repo, env, now }: Patient,
  before: readonly CheckResult[],
): Finding {
  const pause = isBelieved(repo, env) ? readOff(repo.state_dir, now) : readPause(repo, env, now);
  if (pause !== null)
    return warn('guard is off, so the live event was not denied', { facts, hint: 'guard off --now-on' });
  const [cause] = before.filter(({ status }) => status === 'fail').map(({ id }) => id);
  const hint =
    cause === undefined
      ? 'Nothing above explains it. Run: guard doctor --json, which has what the hook answered (facts.stdout).'
      : `See "${cause}" above: it comes first.`;
  return fail(message, { facts, hint });
}

function send(command: string, source: HookSource, { repo, env, guard_root }: Patient) {
  const started = process.hrtime.bigint();
  const run = spawnSync('/bin/sh', ['-c', command], {
    cwd: repo.root,
    input: `${JSON.stringify({ ...base(repo.root), ...WRITE(repo.state_dir) })}\n`,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    env: {
      ...env,
      // Not the id of the session that runs this: that one has events of its own.
      CLAUDE_CODE_SESSION_ID: '',
      CLAUDE_SESSION_ID: '',
      CLAUDE_PROJECT_DIR: repo.root,
      CLAUDE_PLUGIN_ROOT: source.kind === 'plugin' ? source.path : guard_root,
    },
  });
  const took_ms = Math.round(Number(process.hrtime.bigint() - started) / 1e6);
  const denial = denialIn(run.stdout);
  return {
    took_ms,
    exit: run.status,
    code: denial?.details?.code ?? denial?.error_type ?? null,
    stdout: run.stdout.slice(0, SHOWN_CHARS),
    problem: whyNotDenied(run.status, denial, run.stderr),
  };
}

const SHOWN_CHARS = 2_000;

type EventOf = (state_dir: string) => object;

const WRITE: EventOf = (state_dir) => ({
  hook_event_name: 'PreToolUse',
  tool_name: 'Write',
  tool_input: { file_path: join(state_dir, 'install.json'), content: '' },
  tool_use_id: `toolu_guard_doctor_${process.hrtime.bigint()}`,
});

const base = (root: string) => ({
  session_id: 'guard-doctor',
  transcript_path: join(root, 'guard-doctor.jsonl'),
  cwd: root,
  permission_mode: 'default',
});
