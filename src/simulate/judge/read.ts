/** After a read: what its agent then knows, as PostToolUse learns it, and the content of the file. */
import { changedSinceJoin } from '../../core/rules/changed-since.ts';
import { afterMissing, afterRead, type ShownPart } from '../../core/rules/knowledge.ts';
import type { RepoPath } from '../../core/types.ts';
import { asFields } from '../../claude/input.ts';
import { normaliseEnds, withoutBom } from '../../claude/text/encoding.ts';
import { numberIn, stringIn } from '../../claude/text/field.ts';
import { compareShown } from '../../claude/text/shown.ts';
import { ownPaths } from '../../claude/tools.ts';
import type { CallResult, ToldCall } from '../transcript/happening.ts';
import { learnAt, pathStateIn, revealAt, type Scene, turnIn } from '../world/world.ts';

/** Lines as shown to an agent; `text` is set if they are the whole file, including the ending of the last line. */
interface ShownLines {
  readonly part: Extract<ShownPart, { readonly verdict: 'part' }> | { readonly verdict: 'whole' };
  readonly lines: readonly string[];
  readonly text?: string;
}

export function simulateRead(scene: Scene, call: ToldCall): void {
  const { world, actor } = scene;
  const { result } = call;
  if (result === undefined) return;
  world.counts.reads++;
  const places = ownPaths({ tool: call.tool, tool_input: call.input }).map((given) =>
    world.places.of(given, call.cwd, actor.project),
  );
  for (const { path, abs } of places) {
    world.tree.note(abs);
    if (result.is_error) missed(scene, path, result);
    else learnFrom(scene, path, call, result);
  }
}

const NO_SUCH_FILE = /^(?:<tool_use_error>)?File does not exist/;

function missed(scene: Scene, path: RepoPath, { text }: CallResult): void {
  if (!NO_SUCH_FILE.test(text.trimStart())) return;
  const { disk } = scene.world;
  if (disk.at(path).digest !== null) disk.put(path, null, { at_ms: scene.at_ms, by: null });
  learnAt(scene, path, afterMissing(turnIn(scene)));
}

function learnFrom(scene: Scene, path: RepoPath, call: ToldCall, result: CallResult): void {
  const { world, actor } = scene;
  const shown = result.response === null ? inWords(call, result.text) : inResponse(result);
  const part = shownOf(scene, path, result, shown);
  const { digest, changed_ms } = world.disk.at(path);
  const old = world.knowledge.of(path, actor.who.id);
  const disk = { state: digest === null ? 'missing' : 'file', digest, ctime_ms: changed_ms } as const;
  const state = world.actors.state(actor);
  const is_newer = state !== undefined && changedSinceJoin(state, pathStateIn(world, path), disk);
  const is_old = part.verdict !== 'part' || old !== null || !is_newer;
  const known = afterRead(old, turnIn(scene), part, { digest, is_old });
  learnAt(scene, path, known, part.verdict === 'part');
}

/** Compares what was shown with the known content at that time, and corrects the latter if it differs. */
function shownOf(scene: Scene, path: RepoPath, result: CallResult, shown: ShownLines | null): ShownPart {
  const { world, at_ms } = scene;
  const { digest, is_known } = world.disk.at(path);
  // An image, a PDF, or "unchanged since you read it" shows nothing new.
  if (shown === null) return isUnchanged(result) ? NOTHING_NEW : { verdict: 'unsure', quiet: true };
  const there = digest === null || !is_known ? undefined : world.texts.get(digest);
  if (there !== undefined && isThere(there, result, shown)) return shown.part;
  const isOther = there !== undefined || digest === null;
  if (shown.text !== undefined && !isOther) revealAt(world, path, shown.text);
  else if (shown.text !== undefined) world.disk.put(path, shown.text, { at_ms, by: null });
  else if (isOther) world.disk.blur(path, { at_ms, by: null });
  return shown.part;
}

const NOTHING_NEW: ShownPart = {
  verdict: 'part',
  from_line: 1,
  lines: 0,
  total_lines: Number.MAX_SAFE_INTEGER,
};

const isUnchanged = ({ response, text }: CallResult): boolean =>
  response?.['type'] === 'file_unchanged' || /^File unchanged since/.test(text);

function isThere(there: string, { response }: CallResult, { lines, part }: ShownLines): boolean {
  if (response !== null) return compareShown(response, Buffer.from(there)).verdict !== 'different';
  const from = part.verdict === 'part' ? part.from_line - 1 : 0;
  const own = there.split('\n');
  if (part.verdict === 'whole' && trimmed(own).length !== trimmed(lines).length) return false;
  return lines.every((line, nth) => (own[from + nth] ?? '') === line);
}

const trimmed = (lines: readonly string[]): readonly string[] =>
  lines.at(-1) === '' ? lines.slice(0, -1) : lines;

function inResponse({ response }: CallResult): ShownLines | null {
  const file = asFields(response?.['file']);
  const content = response?.['type'] === 'text' ? stringIn(file, 'content') : undefined;
  if (content === undefined) return null;
  const text = normaliseEnds(withoutBom(content));
  const from_line = numberIn(file, 'startLine') ?? 1;
  const lines = text.split('\n');
  const total_lines = numberIn(file, 'totalLines') ?? lines.length;
  const count = numberIn(file, 'numLines') ?? lines.length;
  if (from_line <= 1 && count >= total_lines) return { part: { verdict: 'whole' }, lines, text };
  return { part: { verdict: 'part', from_line, lines: count, total_lines }, lines };
}

const NUMBERED = /^\s*(\d+)(?:\t|\u2192)(.*)$/;
/** Arguments of a call that asks for only a part. */
const PARTS = ['offset', 'limit', 'pages'];

/** A subagent's transcript has only what the model was shown: numbered lines. */
function inWords({ input }: ToldCall, text: string): ShownLines | null {
  const found = text.split('\n').flatMap((line) => {
    const match = NUMBERED.exec(line);
    return match === null ? [] : [{ at: Number(match[1]), line: match[2] ?? '' }];
  });
  const [first] = found;
  if (first === undefined) return null;
  const lines = found.map(({ line }) => line);
  if (!PARTS.some((name) => name in input) && first.at === 1) return { part: { verdict: 'whole' }, lines };
  const total_lines = Number.MAX_SAFE_INTEGER;
  return { part: { verdict: 'part', from_line: first.at, lines: lines.length, total_lines }, lines };
}
