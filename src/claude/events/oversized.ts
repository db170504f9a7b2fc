// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Events whose text is larger than guard parses (16 MiB). They still end what has ended; a write cannot be compared, so
 * it counts as not seen, and the next write must read first.
 */
import { afterWrite } from '../../core/rules/knowledge.ts';
import { digestFile } from '../../repo/digest.ts';
import type { Target } from '../../repo/canonical.ts';
import { context, type HookOutput, SILENT } from '../output.ts';
import type { HookSpace, Hook } from '../context.ts';
import { writerPaths } from '../tools.ts';
import { noteAlive } from './alive.ts';
import { bySpace, isLocated, locate, turnOf } from './targets.ts';

/** The file, if the call names it early; otherwise every file of the agent's open write, whose names the ledger has. */
export function oversizedWrite(hook: Hook): HookOutput {
  const { home, who, input } = hook;
  const named = writerPaths(input, home.config.mcp);
  if (named === null) return SILENT;
  const files = named.length > 0 ? named : openPaths(home);
  if (files.length === 0) return oversizedEnd(hook);
  const notes: string[] = [];
  for (const [space, targets] of bySpace(locate(hook, files).filter(isLocated))) {
    const op = input.tool_use_id || (space.agent()?.op?.id ?? '');
    const written = targets.map((file) => writtenNow(hook, file));
    space.run({ type: 'write.end', who, op, tool: input.tool, written });
    for (const file of targets) notes.push(forget(hook, space, file));
  }
  return context('PostToolUse', notes);
}

/** Files of this checkout; a path of a linked worktree does not identify a file without its checkout. */
const openPaths = (home: HookSpace): string[] =>
  (home.agent()?.op?.paths ?? [])
    .filter((path) => !path.startsWith('//'))
    .map((path) => `${home.repo.root}/${path}`);

const writtenNow = (hook: Hook, file: Target) => ({
  path: file.path,
  digest: digestFile(file.real, { deadline: hook.deadline }).digest,
  content: 'unknown' as const,
  original: () => 'unverified' as const,
});

function forget(hook: Hook, space: HookSpace, file: Target): string {
  space.baselines.write(file.path, afterWrite(turnOf(hook), null, false, null));
  return `guard: the result of your write to ${file.abs} was too large to check. Read the file again before you write it.`;
}

/** The open write has ended and, after a batch, so have all calls. */
export function oversizedEnd(hook: Hook): HookOutput {
  const { home, who, input } = hook;
  const { op, calls = [] } = home.agent() ?? {};
  const open = [...(op ? [op] : []), ...(input.event === 'PostToolBatch' ? calls : [])];
  if (open.length === 0) noteAlive(hook);
  else home.run({ type: 'op.end', who, ops: open.map(({ id }) => id) });
  return SILENT;
}
