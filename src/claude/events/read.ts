// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** PostToolUse of a tool that showed a file to the agent, and a Read that found no file (FR-001, FR-007). */
import { everyStep } from '../../core/every-step.ts';
import { afterMissing, type ShownPart } from '../../core/rules/knowledge.ts';
import { digestBytes, type DiskFact } from '../../repo/digest.ts';
import { asText } from '../input.ts';
import { DONE, type HookOutput, SILENT } from '../output.ts';
import { learn, readable } from '../learn.ts';
import type { Hook } from '../context.ts';
import { compareShown } from '../text/shown.ts';
import { noteAlive } from './alive.ts';
import { isLocated, locate, type Located, turnOf } from './targets.ts';

export function postRead(hook: Hook, paths: readonly string[]): HookOutput {
  let learned: readonly Located[] = [];
  everyStep(
    () => noteAlive(hook),
    () => {
      if (!isTurnKnown(hook)) return;
      learned = locate(hook, paths)
        .filter(isLocated)
        .filter((found) => learnFrom(hook, found));
    },
  );
  // Only what follows a Read has a compiled form of its own (entry.ts).
  return learned.length > 0 && hook.input.tool === 'Read' ? DONE : SILENT;
}

/** False for a file whose text no tool shows. */
function learnFrom(hook: Hook, found: Located): boolean {
  const disk = readable(hook, found);
  if (disk !== null) learn(hook, found, disk, whatWasShown(hook, disk));
  return disk !== null;
}

function whatWasShown(hook: Hook, disk: DiskFact): ShownPart {
  const shown = disk.bytes === undefined ? null : compareShown(hook.input.tool_response, disk.bytes);
  if (shown?.verdict === 'whole') return { verdict: 'whole' };
  if (shown?.verdict === 'part') return partOf(shown.from_line, shown.lines, shown.total_lines);
  // The shown content has a digest that the disk does not have, which is enough to make the next write stale.
  if (shown?.verdict === 'different') return { verdict: 'different', digest: digestOfShown(hook) };
  const quiet = isQuiet(hook, disk);
  // Some pages of a PDF, or part of a file in an old encoding: which part cannot be determined.
  return quiet && isPart(hook, shown?.extent) ? partOf(1, 0, undefined) : { verdict: 'unsure', quiet };
}

/** If the answer does not say how much it shows (other hosts, MCP readers), the arguments may. */
const isPart = ({ input }: Hook, extent = 'unknown'): boolean =>
  extent === 'part' ||
  (extent === 'unknown' && Object.keys(input.tool_input).some((name) => RANGE.test(name)));

const RANGE = /line|range|offset|limit|head|tail|pages/i;

/** An unknown total is never reached (and survives JSON, which Infinity does not). */
const partOf = (
  from_line = 1,
  lines = 0,
  total_lines: number | undefined = Number.MAX_SAFE_INTEGER,
): ShownPart => ({ verdict: 'part', from_line, lines, total_lines });

const digestOfShown = ({ input }: Hook): string =>
  digestBytes(Buffer.from(JSON.stringify(input.tool_response ?? null)));

/**
 * The shown content cannot be compared (an image, a PDF). It counts as what was read if the file has not been touched
 * since before the tool started. The hook starts some time after the tool ended: up to 900 ms measured under load, so
 * five seconds are allowed.
 */
const HOOK_DELAY_MS = 5_000;

function isQuiet({ now, input }: Hook, disk: DiskFact): boolean {
  const duration_ms = typeof input.raw['duration_ms'] === 'number' ? input.raw['duration_ms'] : 0;
  return disk.ctime_ms < now.wall_ms - duration_ms - HOOK_DELAY_MS;
}

/** Every recorded version uses these words; any other failure of a Read tells the agent nothing about the file. */
const NO_SUCH_FILE = /^File does not exist/;

export function readFailed(hook: Hook, paths: readonly string[]): HookOutput {
  const isMissing = NO_SUCH_FILE.test(asText(hook.input.raw['error']));
  everyStep(
    () => noteAlive(hook),
    () => isMissing && isTurnKnown(hook) && noteMissing(hook, paths),
  );
  return SILENT;
}

function noteMissing(hook: Hook, paths: readonly string[]): void {
  const turn = turnOf(hook);
  for (const { target, space } of locate(hook, paths).filter(isLocated))
    space.baselines.write(target.path, afterMissing(turn));
}

/** What was read counts for its turn, also if a shared ledger does not answer. */
const isTurnKnown = ({ home }: Hook): boolean => home.agent() !== undefined || !home.isAgentMissed();
