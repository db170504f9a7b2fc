/**
 * A command line: checked as PreToolUse checks it, as far as the line alone shows what it writes. What only the disk or git at
 * that time could show is counted as not checked.
 */
import type { Area } from '../../core/rules/command-event.ts';
import { unmarked } from '../../claude/commands/command.ts';
import { lineOnlyLooks } from '../../claude/commands/quick.ts';
import { asText } from '../../claude/input.ts';
import { HARMLESS } from '../../git/names.ts';
import { gitWords } from '../../git/words.ts';
import type { Effects } from '../../shell/effects.ts';
import { readLine } from '../../shell/read-line.ts';
import type { ToldCall } from '../transcript/happening.ts';
import { factsAt, type Scene } from '../world/world.ts';
import {
  areaThen,
  type BegunCommand,
  fileOfCommand,
  filesThen,
  isPattern,
  lookAtThen,
} from './command-files.ts';
import { isClientsOwn } from './told-text.ts';
import { noteDenial } from './write-begin.ts';

const LOOKS_ONLY: BegunCommand = { files: [], is_open: false };

/** The longest time that the client lets a command run, with a margin: 10 minutes. */
const UNTIL_MS = 600_000;

export function simulateCommand(scene: Scene, call: ToldCall): BegunCommand {
  const { world, actor, at_ms } = scene;
  world.counts.commands++;
  const line = unmarked(asText(call.input['command']));
  if (line === '' || call.tool !== 'Bash' || isClientsOwn(call) || lineOnlyLooks(line)) return LOOKS_ONLY;
  actor.ran_ms = at_ms;
  const start = {
    cwd: call.cwd.startsWith('/') ? call.cwd : '/',
    home: world.home,
    env: {},
    look: lookAtThen(scene),
  };
  const effects = readLine(line, start);
  countUnjudged(scene, effects);
  const files = filesThen(scene, call, effects);
  const areas = effects.scopes.flatMap((scope) =>
    scope.paths.map((path) => areaThen(scene, call, { ...scope, path })),
  );
  const trees = effects.targets.filter(({ is_tree }) => is_tree === true);
  const all = [...areas, ...trees.map((tree) => areaThen(scene, call, tree))];
  if (files.length + all.length === 0) return LOOKS_ONLY;
  return { files, is_open: !isDenied(scene, call, files, all) };
}

function countUnjudged({ world }: Scene, { git, targets, unresolved }: Effects): void {
  const { unjudged_commands: counts } = world.counts;
  if (git.some(({ args, cwd }) => !HARMLESS.has(gitWords(args, cwd).command ?? ''))) counts.git++;
  if (unresolved.length > 0 || targets.some(({ path }) => isPattern(path))) counts.unreadable++;
}

function isDenied(
  scene: Scene,
  call: ToldCall,
  files: BegunCommand['files'],
  areas: readonly Area[],
): boolean {
  const { world, actor, at_ms } = scene;
  const is_inside = files.every(({ place }) => place.is_inside);
  const verdict = world.ledger.run(
    {
      type: 'command.begin',
      who: actor.who,
      op: call.id,
      tool: call.tool,
      targets: files.map(({ place, acts }) => fileOfCommand(scene, place, acts)),
      areas,
      git: [],
      resources: [],
      objections: [],
      home: null,
      until_mono_ms: at_ms + UNTIL_MS,
      elsewhere: [],
    },
    factsAt(scene, is_inside),
  );
  if (verdict.verdict !== 'denied') return false;
  noteDenial(scene, call, verdict.denial);
  return true;
}
