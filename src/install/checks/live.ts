import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fail, ok, warn } from '../check.ts';
import type { Check, CheckResult, Patient } from '../check.ts';
import { guardSources } from '../hook-sources.ts';
import type { HookSource } from '../hook-sources.ts';
import { matches } from '../matcher.ts';
import { readOff } from '../off.ts';

const RUNS = 3;
const TIMEOUT_MS = 60_000;
/** The client waits this long at every edit; an empty Node takes 25 to 45 ms. */
const SLOW_MS = 500;

/**
 * Sends what the client would send, through the installed command line, by the shell the client uses: a Write into
 * guard's own state, which must be denied whatever else is going on. The rejected attempt is in the ledger, as
 * agent `claude-guard-doctor`.
 */
export const live: Check = {
  id: 'live',
  run: (patient) => {
    if (!patient.repo.initialised) return [];
    return guardSources(patient).flatMap((source) => judge(source, patient));
  },
};

function judge(source: HookSource, patient: Patient): readonly CheckResult[] {
  const line = source.lines.find(({ event, matcher }) => event === 'PreToolUse' && matches(matcher, 'Write'));
  if (line === undefined) return [];
  const runs = Array.from({ length: RUNS }, () => send(line.command, source, patient, WRITE));
  const last = source.lines.find(({ event }) => event === 'SessionEnd');
  if (last !== undefined) send(last.command, source, patient, END);
  const times_ms = runs.map(({ took_ms }) => took_ms).sort((a, b) => a - b);
  const median_ms = times_ms[Math.floor(RUNS / 2)] ?? 0;
  const bad = runs.find(({ problem }) => problem !== null);
  const facts = { command: line.command, from: source.path, median_ms, exit: runs[0]?.exit ?? null };
  if (bad !== undefined && bad.problem !== null) return [refused(source, bad.problem, facts, patient)];
  const message = `A live event through the ${source.name} was denied as it must be, in ${median_ms} ms`;
  if (median_ms < SLOW_MS) return [ok('live', message, { facts })];
  return [
    warn('live', message, {
      facts,
      hint: 'That is slow. Is the machine busy, or the state directory on a slow disk?',
    }),
  ];
}

function refused(
  source: HookSource,
  problem: string,
  facts: CheckResult['facts'],
  { repo, now }: Patient,
): CheckResult {
  if (readOff(repo.state_dir, now) !== null)
    return warn('live', 'guard is off, so the live event was not denied', {
      facts,
      hint: 'guard off --now-on',
    });
  const hint = 'Run the command by hand, with an event on standard input, to see what is wrong.';
  return fail('live', `A live event through the ${source.name} was not denied: ${problem}`, { facts, hint });
}

function send(command: string, source: HookSource, { repo, env, guard_root }: Patient, about: EventOf) {
  const started = process.hrtime.bigint();
  const run = spawnSync('/bin/sh', ['-c', command], {
    cwd: repo.root,
    input: `${JSON.stringify({ ...base(repo.root), ...about(repo.state_dir) })}\n`,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    env: {
      ...env,
      // Not the session's that runs this: its events are its own.
      CLAUDE_CODE_SESSION_ID: '',
      CLAUDE_SESSION_ID: '',
      CLAUDE_PROJECT_DIR: repo.root,
      CLAUDE_PLUGIN_ROOT: source.kind === 'plugin' ? source.path : guard_root,
    },
  });
  const took_ms = Math.round(Number(process.hrtime.bigint() - started) / 1e6);
  return { took_ms, exit: run.status, problem: problemOf(run.status, run.stdout, run.stderr) };
}

type EventOf = (state_dir: string) => object;

const WRITE: EventOf = (state_dir) => ({
  hook_event_name: 'PreToolUse',
  tool_name: 'Write',
  tool_input: { file_path: join(state_dir, 'install.json'), content: '' },
  tool_use_id: `toolu_guard_doctor_${process.hrtime.bigint()}`,
});

const END: EventOf = () => ({ hook_event_name: 'SessionEnd', reason: 'other' });

const base = (root: string) => ({
  session_id: 'guard-doctor',
  transcript_path: join(root, 'guard-doctor.jsonl'),
  cwd: root,
  permission_mode: 'default',
});

function problemOf(exit: number | null, stdout: string, stderr: string): string | null {
  if (exit !== 2)
    return `exit code ${exit ?? 'none (timed out)'}${stderr === '' ? '' : `: ${firstLine(stderr)}`}`;
  const denial = denialIn(stdout);
  if (denial === null) return `no denial on standard output${stderr === '' ? '' : `: ${firstLine(stderr)}`}`;
  return denial === 'PROTECTED_PATH' ? null : `it was denied as ${denial}, not as PROTECTED_PATH`;
}

function denialIn(stdout: string): string | null {
  try {
    const answer = JSON.parse(stdout) as { hookSpecificOutput?: { permissionDecisionReason?: string } };
    const reason = JSON.parse(answer.hookSpecificOutput?.permissionDecisionReason ?? '') as {
      error_type?: string;
    };
    return reason.error_type ?? null;
  } catch {
    return null;
  }
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';
