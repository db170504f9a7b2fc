/** guard's answer to an event now, rule by rule. Runs the same code as the hook, and writes nothing. */
import type { Judgement } from '../core/rules/write-begin.ts';
import type { Baseline, Disk } from '../core/rules/baseline.ts';
import { commandJudgements } from '../core/rules/command-begin.ts';
import { onSnapshot } from '../store/operate.ts';
import { commandOf } from './commands/command.ts';
import { askedBy, eventOf } from './commands/judge.ts';
import { bySpace, isLocated, locate } from './events/targets.ts';
import { writeFacts } from './events/write-pre.ts';
import { judgedNow } from './events/judged-now.ts';
import type { HookInput } from './hook-input.ts';
import type { HookOutput } from './output.ts';
import { EVENT_ROUTES } from './route.ts';
import { type Hook, type HookEnvironment, type HookSpace, openHook } from './context.ts';
import { writerPaths } from './tools.ts';
import type { Target } from '../repo/canonical.ts';

export interface Explanation {
  readonly event: string;
  readonly tool: string;
  readonly agent: string | null;
  /** False if guard ignores such events. */
  readonly concerns_guard: boolean;
  readonly repository: string | null;
  readonly guarded: boolean;
  readonly enforcement: string | null;
  readonly targets: readonly TargetExplanation[];
  readonly answer: HookOutput;
}

export interface TargetExplanation {
  readonly path: string;
  readonly file: string;
  readonly ledger: string;
  readonly disk: Pick<Disk, 'state' | 'digest'>;
  readonly baseline: Baseline | null;
  readonly rules: readonly {
    readonly rule: Judgement['rule'];
    readonly error_type: string | null;
    readonly message: string | null;
  }[];
}

export function explain(input: HookInput, around: HookEnvironment): Explanation {
  const route = Object.hasOwn(EVENT_ROUTES, input.event) ? EVENT_ROUTES[input.event] : undefined;
  const nothing = { exit: 0 as const, stdout: '', stderr: '' };
  const head = { event: input.event, tool: input.tool };
  if (route === undefined || route.passes?.(input) === true) {
    const nowhere = { agent: null, repository: null, guarded: false, enforcement: null };
    return { ...head, ...nowhere, concerns_guard: false, targets: [], answer: nothing };
  }
  const hook = openHook(input, { ...around, dry: true });
  try {
    const { home, who } = hook;
    return {
      ...head,
      agent: who.id,
      concerns_guard: true,
      repository: home.repo.root,
      guarded: home.repo.initialised,
      enforcement: home.facts().policy.enforcement,
      targets: input.event === 'PreToolUse' ? explainTargets(hook) : [],
      answer: route.alone?.(input, around) ?? route.run(hook),
    };
  } finally {
    hook.close();
  }
}

function explainTargets(hook: Hook): TargetExplanation[] {
  if (hook.input.tool === 'Bash') return explainCommand(hook);
  const paths = writerPaths(hook.input, hook.home.config.mcp) ?? [];
  const groups = [...bySpace(locate(hook, paths).filter(isLocated))];
  return groups.flatMap(([space, targets]) => targets.map((target) => explainTarget(hook, space, target)));
}

/** Its files one by one; objections about directories and git are in the answer. */
function explainCommand(hook: Hook): TargetExplanation[] {
  const command = commandOf(hook);
  const { asked } = askedBy(hook, command, command.effects());
  return [...asked].flatMap(([space, one]) => {
    const event = eventOf(hook, space, one, []);
    const words = onSnapshot(space.store, (view) => commandJudgements(view, event, space.facts()));
    return one.files.map(({ file }, nth) => {
      const known = event.targets[nth]?.known;
      return {
        path: file.path,
        file: file.real,
        ledger: space.state_dir,
        disk: { state: known?.disk.state ?? file.kind, digest: event.targets[nth]?.digest ?? null },
        baseline: known?.baseline ?? null,
        rules: words.filter(({ path }) => path === file.path).map(ruleOf),
      };
    });
  });
}

const ruleOf = ({
  rule,
  objection,
}: Pick<Judgement, 'rule' | 'objection'>): TargetExplanation['rules'][number] => ({
  rule,
  error_type: objection?.error_type ?? null,
  message: objection?.message ?? null,
});

function explainTarget(hook: Hook, space: HookSpace, file: Target): TargetExplanation {
  const target = writeFacts(hook, space, file);
  const words = judgedNow(hook, space, target);
  return {
    path: file.path,
    file: file.real,
    ledger: space.state_dir,
    disk: { state: target.disk.state, digest: target.disk.digest },
    baseline: target.baseline,
    rules: words.map(ruleOf),
  };
}
