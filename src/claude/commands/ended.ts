// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The end of a command line: what it left in the files that it announced, and what its agent now knows about them. */
import fs from 'node:fs';
import { everyStep } from '../../core/every-step.ts';
import { pathKey } from '../../core/keys.ts';
import { afterMissing, afterWrite } from '../../core/rules/knowledge.ts';
import type { LeftFile } from '../../core/rules/command-end.ts';
import type { OpenCommand, RepoPath } from '../../core/types.ts';
import { asPathState } from '../../core/states.ts';
import { digestFile } from '../../repo/digest.ts';
import { locateRepo } from '../../repo/locate.ts';
import { nameHash } from '../../repo/name-hash.ts';
import { asFields, asText, textField } from '../input.ts';
import { decodeText } from '../text/encoding.ts';
import { turnOf } from '../events/targets.ts';
import type { HookSpace, Hook } from '../context.ts';
import { noteMade } from './git-made.ts';

/** PostToolUse and PostToolUseFailure: ends what the command held, unless part of it continues in the background. */
export function noteCommandEnd(hook: Hook, line: string): void {
  const { input, home, who } = hook;
  if (fs.existsSync(`${home.state_dir}/git-marks/${nameHash(who.id)}.json`)) noteMade(hook);
  if (textField(asFields(input.tool_response), 'backgroundTaskId') !== '') return;
  end(hook, ({ id }) => isSame(input.tool_use_id, input.tool, id), line);
}

/** At the end of a batch: ends its command lines whose end no event reported, because a person declined or a hook did not run. */
export const endCommands = (hook: Hook, ops: readonly string[]): void =>
  end(hook, ({ id, task }) => task === undefined && ops.includes(id), '');

/** Ends the commands of background tasks that have ended. */
export const endTasks = (hook: Hook, tasks: readonly string[]): void =>
  end(hook, ({ task }) => task !== undefined && tasks.includes(task), '');

/** A call without an id is identified by its tool or its arguments (events/op.ts). */
const isSame = (op: string, tool: string, open: string): boolean =>
  op === open || (op.endsWith('@') ? open.startsWith(op) : op === '' && open.startsWith(`${tool}@`));

type Open = Pick<OpenCommand, 'id' | 'paths' | 'task' | 'elsewhere'>;

function end(hook: Hook, is: (open: Open) => boolean, line: string): void {
  const endElsewhere = (open: Open, root: string): void => {
    const space = hook.workspace(locateRepo(root, hook.env));
    const there = space.agent()?.commands?.find(({ id }) => id === open.id);
    if (there !== undefined) endIn(hook, space, there, line);
  };
  everyStep(
    ...openHere(hook)
      .filter(is)
      .flatMap((open) => [
        () => endIn(hook, hook.home, open, line),
        ...(open.elsewhere ?? []).map((root) => () => endElsewhere(open, root)),
      ]),
  );
}

/** If the ledger cannot tell, the call of this event may be one: its end then releases what it held, and records no write. */
function openHere({ home, input: { tool_use_id: id } }: Hook): readonly Open[] {
  const { commands = [] } = home.agent() ?? {};
  return id !== '' && home.isAgentMissed() ? [{ id, paths: [] }] : commands;
}

/** Larger files are not read again: an agent that has read one must read it again before writing it. */
const LOOK_BYTES = 32 << 20;

interface Left extends LeftFile {
  readonly bytes: Buffer | null;
}

function endIn(hook: Hook, space: HookSpace, { id, paths }: Open, line: string): void {
  const before = knownBefore(space, paths);
  const left = paths.flatMap((path) => leftAt(hook, space, path) ?? []);
  const turn = turnOf(hook);
  const changed = space.run({
    type: 'command.end',
    who: hook.who,
    op: id,
    tool: hook.input.tool === '' ? 'Bash' : hook.input.tool,
    left: left.map(({ path, digest }) => ({ path, digest })),
  });
  for (const { path, digest } of changed) {
    const bytes = left.find((one) => one.path === path)?.bytes ?? null;
    if (digest === null) space.baselines.write(path, afterMissing(turn));
    // An empty file contains nothing that its agent has not seen.
    else if (before.has(digest) || bytes?.length === 0 || isWrittenOut(line, bytes))
      space.baselines.write(path, afterWrite(turn, digest, true, null));
  }
}

/** Contents of these files that the agent had seen: the command may have renamed one of them. */
function knownBefore({ baselines, cache }: HookSpace, paths: readonly RepoPath[]): ReadonlySet<string> {
  const at = cache.get(paths.map(pathKey));
  return new Set(
    paths.flatMap((path) => {
      const baseline = baselines.read(path);
      const { intent } = asPathState(at(pathKey(path)));
      const isSeen = baseline?.knows === 'content' && baseline.digest === intent?.digest;
      return isSeen && baseline.digest !== null ? [baseline.digest] : [];
    }),
  );
}

/** Null if it cannot be looked at. */
function leftAt({ deadline }: Hook, space: HookSpace, path: RepoPath): Left | null {
  const abs = space.facts().spelled?.(path) ?? path;
  const stat = fs.statSync(abs, { throwIfNoEntry: false });
  if (stat === undefined) return { path, digest: null, bytes: null };
  if (!stat.isFile() || stat.size > LOOK_BYTES) return null;
  const { state, digest, bytes } = digestFile(fs.realpathSync(abs), { deadline, want_bytes: true });
  return state === 'file' || state === 'missing' ? { path, digest, bytes: bytes ?? null } : null;
}

/** Whether the agent wrote out all of it in the line: as the body of a here-document, or as an argument of `echo`. */
function isWrittenOut(line: string, bytes: Buffer | null): boolean {
  if (bytes === null || bytes.length > line.length * 4) return false;
  const text = asText(decodeText(bytes)).replace(/\n$/, '');
  return text !== '' && line.includes(text);
}
