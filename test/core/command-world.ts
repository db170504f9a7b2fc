/** Command lines in an in-memory ledger: whatever a test leaves out has the values of an ordinary command line. */
import type {
  Area,
  CommandBeginEvent,
  CommandFile,
  CommandVerdict,
} from '../../src/core/rules/command-event.ts';
import type { Who } from '../../src/core/rules/who.ts';
import type { Baseline, Disk } from '../../src/core/rules/baseline.ts';
import { isHoldLive } from '../../src/core/alive.ts';
import { changesOver } from '../../src/core/states.ts';
import { World } from './world.ts';

export const TWO_MINUTES_MS = 120_000;

/** A file that git tracks and whose content the agent has seen. */
export function tracked(
  world: World,
  path: string,
  disk: Disk,
  baseline: Baseline | null = null,
): CommandFile {
  const known = { disk, baseline, seen_touched: world.path(path).touched };
  return { path, abs: `/repo/${path}`, known, is_written: true, digest: disk.digest, objections: [] };
}

/** A new file, or one that git does not track. */
export const untracked = (path: string, digest: string | null = null): CommandFile => ({
  path,
  abs: `/repo/${path}`,
  known: null,
  is_written: true,
  digest,
  objections: [],
});

export const tree = (dir: string, source = `rm -rf ${dir}`): Area => ({
  abs: `/repo/${dir}`,
  source,
  by: 'rm',
  covers: (path) => path.startsWith(`${dir}/`),
  glob: { scope: '', text: `${dir}/**` },
  members: [],
});

export const command = (world: World, who: Who, op: string, of: Partial<CommandBeginEvent>): CommandVerdict =>
  world.run({
    type: 'command.begin',
    who,
    op,
    tool: 'Bash',
    targets: [],
    areas: [],
    git: [],
    resources: [],
    objections: [],
    home: null,
    until_mono_ms: world.mono_ms + TWO_MINUTES_MS,
    elsewhere: [],
    ...of,
  });

export const ended = (
  world: World,
  who: Who,
  op: string,
  left: Readonly<Record<string, string | null>> = {},
) =>
  world.run({
    type: 'command.end',
    who,
    op,
    tool: 'Bash',
    left: Object.entries(left).map(([path, digest]) => ({ path, digest })),
  });

export function refusalOf(verdict: CommandVerdict): string[] {
  if (verdict.verdict !== 'denied') return [];
  const also = verdict.denial.details['also'];
  return [verdict.denial.error_type, ...(Array.isArray(also) ? (also as string[]) : [])];
}

/** The holders of exclusive leases on a path, including command lines that hold it. */
export const exclusiveHolders = (world: World, path: string): string[] =>
  world.look((view, facts) => {
    const changes = changesOver(view);
    return changes
      .path(path)
      .holds.filter((hold) => hold.mode === 'exclusive' && isHoldLive(changes, path, hold, facts))
      .map((hold) => hold.agent);
  });

/** A ledger that these agents have joined. */
export function joined(...who: Who[]): World {
  const world = new World();
  for (const one of who) world.run({ type: 'agent.present', who: one });
  return world;
}
