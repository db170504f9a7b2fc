// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Events whose text is larger than guard parses (16 MiB). What ended has ended all the same; what was written cannot
 * be compared, so it counts as not seen: the next write must read first.
 */
import { afterWrite } from '../../core/rules/knowledge.ts';
import { digestFile } from '../../repo/digest.ts';
import type { Target } from '../../repo/canonical.ts';
import { context, SILENT } from '../output.ts';
import type { HookOutput } from '../output.ts';
import type { Place, Scene } from '../scene.ts';
import { writerPaths } from '../tools.ts';
import { noteAlive } from './alive.ts';
import { byPlace, isLocated, locate, turnOf } from './targets.ts';

/** The file, where the call names it early; else every file of the agent's open write, whose names the ledger has. */
export function oversizedWrite(scene: Scene): HookOutput {
  const { home, who, input } = scene;
  const named = writerPaths(input, home.config.mcp);
  if (named === null) return SILENT;
  const files = named.length > 0 ? named : openPaths(home);
  if (files.length === 0) return oversizedEnd(scene);
  const notes: string[] = [];
  for (const [place, targets] of byPlace(locate(scene, files).filter(isLocated))) {
    const op = input.tool_use_id || (place.agent()?.op?.id ?? '');
    const written = targets.map((file) => writtenNow(scene, file));
    place.run({ type: 'write.end', who, op, tool: input.tool, written });
    for (const file of targets) notes.push(forget(scene, place, file));
  }
  return context('PostToolUse', notes);
}

/** Of this checkout; a path of a linked worktree names no file by itself. */
const openPaths = (home: Place): string[] =>
  (home.agent()?.op?.paths ?? [])
    .filter((path) => !path.startsWith('//'))
    .map((path) => `${home.repo.root}/${path}`);

const writtenNow = (scene: Scene, file: Target) => ({
  path: file.path,
  digest: digestFile(file.real, { deadline: scene.deadline }).digest,
  content: 'unknown' as const,
  original: () => 'unverified' as const,
});

function forget(scene: Scene, place: Place, file: Target): string {
  place.baselines.write(file.path, afterWrite(turnOf(scene), null, false, null));
  return `guard: the result of your write to ${file.abs} was too large to check. Read the file again before you write it.`;
}

/** The write that was open is over, and with their batch all calls are. */
export function oversizedEnd(scene: Scene): HookOutput {
  const { home, who, input } = scene;
  const { op, calls = [] } = home.agent() ?? {};
  const open = [...(op ? [op] : []), ...(input.event === 'PostToolBatch' ? calls : [])];
  if (open.length === 0) noteAlive(scene);
  else home.run({ type: 'op.end', who, ops: open.map(({ id }) => id) });
  return SILENT;
}
