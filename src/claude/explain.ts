/** What guard would answer to an event now, rule by rule. The same code as the hook, with nothing written. */
import type { Judgement } from '../core/rules/write-begin.ts';
import type { Baseline, Disk } from '../core/rules/baseline.ts';
import { commandJudgements } from '../core/rules/command-begin.ts';
import { onSnapshot } from '../store/operate.ts';
import { commandOf } from './commands/command.ts';
import { askedBy, eventOf } from './commands/judge.ts';
import { byPlace, isLocated, locate } from './events/targets.ts';
import { writeFacts } from './events/write-pre.ts';
import { judgedNow } from './events/judged-now.ts';
import type { HookInput } from './input.ts';
import type { HookOutput } from './output.ts';
import { EVENT_ROUTES } from './route.ts';
import { openScene } from './scene.ts';
import type { HookEnvironment, Place, Scene } from './scene.ts';
import { writerPaths } from './tools.ts';
import type { Target } from '../repo/canonical.ts';

export interface Explanation {
  readonly event: string;
  readonly tool: string;
  readonly agent: string | null;
  /** False: guard does not look at such an event. */
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
  const scene = openScene(input, { ...around, dry: true });
  try {
    const { home, who } = scene;
    return {
      ...head,
      agent: who.id,
      concerns_guard: true,
      repository: home.repo.root,
      guarded: home.repo.initialised,
      enforcement: home.facts.policy.enforcement,
      targets: input.event === 'PreToolUse' ? explainTargets(scene) : [],
      answer: route.alone?.(input, around) ?? route.run(scene),
    };
  } finally {
    scene.close();
  }
}

function explainTargets(scene: Scene): TargetExplanation[] {
  if (scene.input.tool === 'Bash') return explainCommand(scene);
  const paths = writerPaths(scene.input, scene.home.config.mcp) ?? [];
  const groups = [...byPlace(locate(scene, paths).filter(isLocated))];
  return groups.flatMap(([place, targets]) => targets.map((target) => explainTarget(scene, place, target)));
}

/** Its files one by one; what a directory or git is in the way of, the answer says. */
function explainCommand(scene: Scene): TargetExplanation[] {
  const command = commandOf(scene);
  const { asked } = askedBy(scene, command, command.effects());
  return [...asked].flatMap(([place, one]) => {
    const event = eventOf(scene, place, one, []);
    const words = onSnapshot(place.store, (view) => commandJudgements(view, event, place.facts));
    return one.files.map(({ file }, nth) => {
      const known = event.targets[nth]?.known;
      return {
        path: file.path,
        file: file.real,
        ledger: place.state_dir,
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

function explainTarget(scene: Scene, place: Place, file: Target): TargetExplanation {
  const target = writeFacts(scene, place, file);
  const words = judgedNow(scene, place, target);
  return {
    path: file.path,
    file: file.real,
    ledger: place.state_dir,
    disk: { state: target.disk.state, digest: target.disk.digest },
    baseline: target.baseline,
    rules: words.map(ruleOf),
  };
}
