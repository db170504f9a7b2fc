// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** PostToolUse of a tool that wrote files: what is really on disk, the end of the intent, the new baselines. */
import { elsewhereLines } from '../../core/elsewhere-words.ts';
import { everyStep } from '../../core/every-step.ts';
import { afterWrite } from '../../core/rules/knowledge.ts';
import type { WriteOutcome, WrittenFile } from '../../core/rules/write-end.ts';
import { isOn } from '../../fence/site.ts';
import { hasWorktrees } from '../../repo/has-worktrees.ts';
import { digestBytes, digestFile } from '../../repo/digest.ts';
import { KEPT_TEXT_BYTES } from '../../workspace/baseline-file.ts';
import type { Target } from '../../repo/canonical.ts';
import { decodeText } from '../text/encoding.ts';
import { intendedText, verifyWrite } from '../text/expected.ts';
import { originalMatches } from '../text/original.ts';
import { besideAfter } from '../beside/look.ts';
import { keep } from '../kept.ts';
import { tendFence } from '../commands/fence-tend.ts';
import { context, DONE, type HookOutput, SILENT } from '../output.ts';
import { deadlineAfter } from '../../repo/clock.ts';
import type { HookSpace, Hook } from '../context.ts';
import { bySpace, isLocated, locate, turnOf } from './targets.ts';
import { callAt, endedOp } from '../hosts/originals.ts';
import { opOf } from './op.ts';
import { noteHooks } from './hooks-added.ts';
import { approvedIn, tellAstray, wasJudged } from './write-astray.ts';
import { evenIfUnsure } from './unsure-end.ts';
import { newRoom, noteIn, type Room, tellChange } from './told.ts';

export function postWrite(given: Hook, paths: readonly string[]): HookOutput {
  const notes: string[] = [];
  const approvals: boolean[] = [];
  const room = newRoom();
  // This process may have waited for the ledger until now; the file is read nevertheless.
  const hook = { ...given, deadline: deadlineAfter(given.home.config.deadline_ms) };
  const endIn = (space: HookSpace, targets: readonly Target[]): void => {
    const files = targets.filter((target) => target.kind !== 'directory');
    const looks = files.map((file) => look(hook, space, file)).filter((look) => !look.staged);
    // Before the end is recorded, which makes the cached state of the agent stale.
    const turn = turnOf(hook);
    const op = hook.input.tool_use_id.endsWith('@') ? endedOp(hook, space, files) : opOf(hook);
    const approved = approvedIn(space, op);
    const written = looks.map((seen) => seen.written);
    const end = { type: 'write.end', who: hook.who, op, tool: hook.input.tool, written } as const;
    const outcomes = evenIfUnsure({ space, turn, written }, () => space.run(end));
    const elsewhere = outcomes.flatMap(({ elsewhere = [] }) => elsewhere);
    const beside = hasWorktrees(space.repo) ? besideAfter(hook, space, elsewhere) : elsewhereLines(elsewhere);
    if (beside.length > 0) notes.push(noteIn(room, `guard: ${beside.join('\n')}`));
    for (const seen of looks) {
      const outcome = outcomes.find(({ path }) => path === seen.written.path);
      if (outcome?.repeated !== false) continue;
      approvals.push(!outcome.unapproved);
      const astray = outcome.unapproved && wasJudged(hook, space);
      notes.push(
        astray
          ? tellAstray(hook, { space, target: seen.file }, approved, room)
          : settle({ space, turn, room }, outcome, seen),
      );
      noteHooks(hook, seen.file.real, seen.original, seen.disk_text);
    }
  };
  const places = bySpace(locate(hook, paths).filter(isLocated));
  everyStep(...[...places].map((place) => () => endIn(...place)));
  // Saving by rename removed the fence from these files.
  if (isOn(hook.home.state_dir)) tendFence(hook);
  const output = context('PostToolUse', notes);
  return output === SILENT && approvals.includes(true) ? DONE : output;
}

/** One file as found after the tool ran. */
interface Look {
  readonly file: Target;
  readonly written: WrittenFile;
  /** The bytes on disk as text, if they are text. */
  readonly disk_text: () => string | null;
  /** Whether it may be short enough to be kept. */
  readonly is_kept: boolean;
  /** What the tool meant to leave there. */
  readonly intended: () => string | null;
  /** The content that it replaced, according to the tool itself. */
  readonly original: string | null | undefined;
  /** Held back for a person's review: the file is unchanged. */
  readonly staged: boolean;
}

function look(hook: Hook, space: HookSpace, file: Target): Look {
  const { host, tool, tool_input: input, tool_response } = hook.input;
  // Two digests: of the current content, and of the content that the write replaced.
  const disk = digestFile(file.real, { deadline: hook.deadline, want_bytes: true, digests: 2 });
  keep(hook, space, file, disk);
  const call =
    host === 'claude'
      ? { tool, input, response: tool_response }
      : callAt({ hook, space }, file, disk.bytes ?? null, 'take');
  const verified = verifyWrite(call, disk.bytes ?? null);
  return {
    file,
    written: {
      path: file.path,
      digest: disk.digest,
      // A file too large to hold in memory can be digested, but not compared with what was written.
      content: disk.state === 'file' && disk.bytes === undefined ? 'unknown' : verified.written,
      original: ({ digest, form }) =>
        originalMatches(verified.original, digest, (bytes) => digestBytes(bytes, 2), form ?? undefined),
    },
    // Each is as long as the file, and rarely needed.
    disk_text: () => (disk.bytes === undefined ? null : decodeText(disk.bytes)),
    is_kept: (disk.bytes?.length ?? 0) <= KEPT_TEXT_BYTES,
    intended: () => intendedText(call),
    original: verified.original.text,
    staged: verified.staged === true,
  };
}

/** Where and when it was written, and the room left to report it. */
interface Setting {
  readonly space: HookSpace;
  readonly turn: number;
  readonly room: Room;
}

function settle({ space, turn, room }: Setting, outcome: WriteOutcome, look: Look): string {
  const { path, digest } = look.written;
  const intended = outcome.known ? null : look.intended();
  const believed = intended === null ? null : digestBytes(Buffer.from(intended));
  space.baselines.write(path, afterWrite(turn, digest, outcome.known, believed));
  if (outcome.raced)
    return noteIn(
      room,
      `guard: ${look.file.abs} was changed by someone else between guard's check and your write. ` +
        'Read it again and make sure that none of their changes are lost.',
    );
  if (outcome.known) {
    // A formatter may be running right now; the end of the batch shows its result.
    space.baselines.keepText(path, look.is_kept ? look.disk_text() : null);
    return '';
  }
  const disk_text = intended === null ? null : look.disk_text();
  if (intended === null || disk_text === null || digest === null) return '';
  return tellChange(space, look.file, { before: intended, after: disk_text, digest, turn }, room);
}
