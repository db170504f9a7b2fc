// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** PostToolUse of a tool that showed a file to the agent, and the Read that found none (FR-001, FR-007). */
import { afterMissing } from '../../core/rules/knowledge.ts';
import type { ShownPart } from '../../core/rules/knowledge.ts';
import { digestBytes } from '../../repo/digest.ts';
import type { DiskFact } from '../../repo/digest.ts';
import { asText } from '../input.ts';
import { SILENT } from '../output.ts';
import type { HookOutput } from '../output.ts';
import { learn, readable } from '../learn.ts';
import type { Scene } from '../scene.ts';
import { compareShown } from '../text/shown.ts';
import { noteAlive } from './alive.ts';
import { isLocated, locate, turnOf } from './targets.ts';
import type { Located } from './targets.ts';

export function postRead(scene: Scene, paths: readonly string[]): HookOutput {
  noteAlive(scene);
  for (const found of locate(scene, paths).filter(isLocated)) learnFrom(scene, found);
  return SILENT;
}

function learnFrom(scene: Scene, found: Located): void {
  const disk = readable(scene, found);
  if (disk !== null) learn(scene, found, disk, whatWasShown(scene, disk));
}

function whatWasShown(scene: Scene, disk: DiskFact): ShownPart {
  const shown = disk.bytes === undefined ? null : compareShown(scene.input.tool_response, disk.bytes);
  if (shown?.verdict === 'whole') return { verdict: 'whole' };
  if (shown?.verdict === 'part') return partOf(shown.from_line, shown.lines, shown.total_lines);
  // What was shown instead has a digest that the disk does not have: that alone makes the next write stale.
  if (shown?.verdict === 'different') return { verdict: 'different', digest: digestOfShown(scene) };
  const quiet = isQuiet(scene, disk);
  // Some pages of a PDF, part of a file in an old encoding: which part, nobody can say.
  return quiet && isPart(scene, shown?.extent) ? partOf(1, 0, undefined) : { verdict: 'unsure', quiet };
}

/** Where the answer does not tell how much it shows (other hosts, MCP readers), the question may. */
const isPart = ({ input }: Scene, extent = 'unknown'): boolean =>
  extent === 'part' ||
  (extent === 'unknown' && Object.keys(input.tool_input).some((name) => RANGE.test(name)));

const RANGE = /line|range|offset|limit|head|tail|pages/i;

/** A total that is not known is never reached (and survives JSON, which Infinity does not). */
const partOf = (
  from_line = 1,
  lines = 0,
  total_lines: number | undefined = Number.MAX_SAFE_INTEGER,
): ShownPart => ({
  verdict: 'part',
  from_line,
  lines,
  total_lines,
});

const digestOfShown = ({ input }: Scene): string =>
  digestBytes(Buffer.from(JSON.stringify(input.tool_response ?? null)));

/**
 * Nothing shown can be compared (an image, a PDF): then it is what was read if the file was not touched since
 * before the tool started. The hook starts some time after the tool ended: up to 900 ms measured under load,
 * so five seconds are allowed for.
 */
const HOOK_DELAY_MS = 5_000;

function isQuiet({ now, input }: Scene, disk: DiskFact): boolean {
  const duration_ms = typeof input.raw['duration_ms'] === 'number' ? input.raw['duration_ms'] : 0;
  return disk.ctime_ms < now.wall_ms - duration_ms - HOOK_DELAY_MS;
}

/** Every version recorded says so in these words; any other failure of a Read tells the agent nothing. */
const NO_SUCH_FILE = /^File does not exist/;

export function readFailed(scene: Scene, paths: readonly string[]): HookOutput {
  noteAlive(scene);
  if (!NO_SUCH_FILE.test(asText(scene.input.raw['error']))) return SILENT;
  for (const { target, place } of locate(scene, paths).filter(isLocated)) {
    place.baselines.write(target.path, afterMissing(turnOf(scene)));
  }
  return SILENT;
}
