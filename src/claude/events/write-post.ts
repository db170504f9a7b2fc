// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** PostToolUse of a tool that wrote files: what is really there, the end of the intent, the new baselines. */
import { afterWrite } from '../../core/rules/knowledge.ts';
import type { WriteOutcome, WrittenFile } from '../../core/rules/write-end.ts';
import { isOn } from '../../fence/site.ts';
import { digestBytes, digestFile } from '../../repo/digest.ts';
import type { Target } from '../../repo/canonical.ts';
import { decodeText } from '../text/encoding.ts';
import { intendedText, verifyWrite } from '../text/expected.ts';
import { originalMatches } from '../text/original.ts';
import { keep } from '../kept.ts';
import { tendFence } from '../commands/fence-tend.ts';
import { context } from '../output.ts';
import type { HookOutput } from '../output.ts';
import type { Place, Scene } from '../scene.ts';
import { byPlace, isLocated, locate, turnOf } from './targets.ts';
import { endedOp, originalAt } from '../hosts/originals.ts';
import { noteHooks } from './hooks-added.ts';
import { approvedIn, tellAstray, wasJudged } from './write-astray.ts';
import { newRoom, tellChange } from './told.ts';
import type { Room } from './told.ts';

export function postWrite(scene: Scene, paths: readonly string[]): HookOutput {
  const notes: string[] = [];
  const room = newRoom();
  for (const [place, targets] of byPlace(locate(scene, paths).filter(isLocated))) {
    const files = targets.filter((target) => target.kind !== 'directory');
    const looks = files.map((file) => look(scene, place, file)).filter((look) => !look.staged);
    // Before the end is recorded, which makes what is known of the agent out of date.
    const turn = turnOf(scene);
    const op = endedOp(scene, place, files);
    const approved = approvedIn(place, op);
    const outcomes = place.run({
      type: 'write.end',
      who: scene.who,
      op,
      tool: scene.input.tool,
      written: looks.map(({ written }) => written),
    });
    for (const seen of looks) {
      const outcome = outcomes.find(({ path }) => path === seen.written.path);
      if (outcome?.repeated !== false) continue;
      const astray = outcome.unapproved && wasJudged(scene, place);
      notes.push(
        astray
          ? tellAstray(scene, { place, target: seen.file }, approved, room)
          : settle(place, outcome, seen, turn, room),
      );
      noteHooks(scene, seen.file.real, seen.original, seen.disk_text);
    }
  }
  // Saving by rename took the fence off these files.
  if (isOn(scene.home.state_dir)) tendFence(scene);
  return context('PostToolUse', notes);
}

/** One file as it is after the tool ran. */
interface Look {
  readonly file: Target;
  readonly written: WrittenFile;
  /** The disk's bytes as text, where they are text. */
  readonly disk_text: string | null;
  /** What the tool meant to leave there. */
  readonly intended: string | null;
  /** What it replaced, as it says itself. */
  readonly original: string | null | undefined;
  /** Held back for a person's review: the file is as it was. */
  readonly staged: boolean;
}

function look(scene: Scene, place: Place, file: Target): Look {
  const { host, tool, tool_input: input, tool_response } = scene.input;
  const response = host === 'copilot' ? originalAt(place, file, tool_response) : tool_response;
  // Two digests: of what is there now, and of what the write replaced.
  const disk = digestFile(file.real, { deadline: scene.deadline, want_bytes: true, digests: 2 });
  keep(scene, place, file, disk);
  const call = { tool, input, response };
  const verified = verifyWrite(call, disk.bytes ?? null);
  return {
    file,
    written: {
      path: file.path,
      digest: disk.digest,
      // A file too large to hold in memory can be digested, but not compared with what was written.
      content: disk.state === 'file' && disk.bytes === undefined ? 'unknown' : verified.written,
      original: ({ digest, form }) =>
        originalMatches(verified.original.text, digest, (bytes) => digestBytes(bytes, 2), form ?? undefined),
    },
    disk_text: disk.bytes === undefined ? null : decodeText(disk.bytes),
    intended: intendedText(call),
    original: verified.original.text,
    staged: verified.staged === true,
  };
}

function settle(place: Place, outcome: WriteOutcome, look: Look, turn: number, room: Room): string {
  const { path, digest } = look.written;
  const { intended, disk_text } = look;
  const believed = outcome.known || intended === null ? null : digestBytes(Buffer.from(intended));
  place.baselines.write(path, afterWrite(turn, digest, outcome.known, believed));
  if (outcome.raced) return raced(look.file, room);
  if (outcome.known) {
    // A formatter may be at work right now; the batch's end shows what it made of this.
    if (disk_text !== null) place.baselines.keepText(path, disk_text);
    return '';
  }
  if (intended === null || disk_text === null || digest === null) return '';
  return tellChange(place, look.file, { before: intended, after: disk_text, digest, turn }, room);
}

function raced(file: Target, room: Room): string {
  const note =
    `guard: ${file.abs} was changed by somebody else between guard's check and your write. ` +
    'Read it again and make sure that nothing of theirs is lost.';
  room.left_chars -= note.length + 2;
  return note;
}
