/** After a write: what it left, as PostToolUse records it, and whether it removed someone's work. */
import { afterWrite } from '../../core/rules/knowledge.ts';
import type { Intent } from '../../core/types.ts';
import { writtenBy } from '../../claude/tools.ts';
import type { ShownText } from '../tally/losses.ts';
import type { ToldCall } from '../transcript/happening.ts';
import { isUnshown } from '../world/disk.ts';
import { factsAt, learnAt, type Scene, turnIn } from '../world/world.ts';
import { textBefore, textLeft } from './told-text.ts';
import { digestOfText, meetWhatWas } from './met-other.ts';
import type { BegunFile, BegunWrite } from './write-begin.ts';

/** The content of a file when it was replaced, and the content now. */
interface Replaced {
  readonly before: string | null | undefined;
  readonly after: string | null;
}

/** Without its result, an edit is only applied to the content believed to be there, which proves nothing. */
const isToldAfter = ({ tool, result }: ToldCall): boolean =>
  result?.response != null || writtenBy(tool) === 'content';

export function simulateWritten(scene: Scene, call: ToldCall, begun: BegunWrite): void {
  const { world, actor } = scene;
  const { who } = actor;
  if (call.result?.is_error === true) {
    world.ledger.run({ type: 'op.end', who, ops: [call.id] }, factsAt(scene));
    return;
  }
  const turn = turnIn(scene);
  const replaced = begun.files.map((file) => replace(scene, call, begun, file));
  const outcomes = world.ledger.run(
    {
      type: 'write.end',
      who,
      op: call.id,
      tool: call.tool,
      written: begun.files.map(({ place }, nth) => ({
        path: place.path,
        digest: replaced[nth]?.after ?? null,
        content: 'as_expected' as const,
        original: sameAs(replaced[nth]?.before),
      })),
    },
    factsAt(scene),
  );
  for (const { path, known } of outcomes) {
    const { digest } = world.disk.at(path);
    learnAt(scene, path, afterWrite(turn, digest, known, digest));
  }
}

type Original = (approved: Pick<Intent, 'digest' | 'form'>) => 'same' | 'other' | 'unverified';

const sameAs =
  (before: string | null | undefined): Original =>
  ({ digest }) => {
    if (before === undefined || isUnshown(digest) || isUnshown(before)) return 'unverified';
    return digest === before ? 'same' : 'other';
  };

function replace(scene: Scene, call: ToldCall, begun: BegunWrite, file: BegunFile): Replaced {
  const { world, actor, at_ms } = scene;
  const { path } = file.place;
  const told = textBefore(call);
  if (told !== undefined) meetWhatWas(scene, call, begun, { file, told });
  const before = told === undefined ? world.disk.at(path).digest : digestOfText(scene, told);
  const text = isUnshown(before) || before === null ? undefined : world.texts.get(before);
  const after = textLeft(call, before === null ? null : text);
  const change = { at_ms, by: actor.who.id };
  const left = after === undefined ? world.disk.blur(path, change) : world.disk.put(path, after, change);
  noteWrite(scene, call, begun, {
    file,
    before: told === undefined ? undefined : before,
    after: isToldAfter(call) && after !== undefined ? left.digest : undefined,
  });
  return { before, after: left.digest };
}

function noteWrite(
  { world, actor, at_ms }: Scene,
  call: ToldCall,
  begun: BegunWrite,
  {
    file,
    before,
    after,
  }: { readonly file: BegunFile; readonly before: ShownText; readonly after: ShownText },
): void {
  const { path } = file.place;
  const agent = actor.who.id;
  world.contention.noteWrite(path, agent);
  world.losses.note({
    ...{ path, agent, at_ms, began_ms: begun.began_ms, before, after },
    knew_ms: file.known?.knows === 'content' ? file.knew_ms : 0,
    saw_part_ms: file.saw_part_ms,
    is_whole: writtenBy(call.tool) === 'content',
    would_be_denied: begun.denied,
  });
}
