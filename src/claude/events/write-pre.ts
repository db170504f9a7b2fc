/** PreToolUse of a tool that writes files: find the facts, let core decide, answer. */
import { denialOf } from '../../core/denial.ts';
import type { Denial, Objection } from '../../core/denial.ts';
import { pathKey } from '../../core/keys.ts';
import { guardError, protectedPath } from '../../core/messages.ts';
import { pausedBy } from '../../core/policy/pause.ts';
import { shownAt } from '../../core/shown.ts';
import { asPathState } from '../../core/states.ts';
import type { WriteTarget, WriteVerdict } from '../../core/rules/write-begin.ts';
import { digestFile } from '../../repo/digest.ts';
import type { DiskFact } from '../../repo/digest.ts';
import type { Target } from '../../repo/canonical.ts';
import { ignoredAmong } from '../../repo/ignored.ts';
import { readOff } from '../../install/off.ts';
import { keepOriginals } from '../hosts/originals.ts';
import { formOf } from '../text/encoding.ts';
import { keepLater } from '../keep-later.ts';
import type { SeenBytes } from '../kept.ts';
import { context, deny, SILENT } from '../output.ts';
import type { HookOutput } from '../output.ts';
import { noticeOne } from '../commands/notice-all.ts';
import { sinceOwnDoing } from '../commands/own-doing.ts';
import { worktreeMadeFor } from '../made-for.ts';
import { filesRead } from '../read-files.ts';
import { whyRefused } from '../why-refused.ts';
import type { Place, Scene } from '../scene.ts';
import { nowhere, unstable } from './odd-writes.ts';
import { withDifference } from './told-stale.ts';
import { opOf } from './op.ts';
import { missed } from './gone.ts';
import { byPlace, homeLife, isLocated, locate } from './targets.ts';
import type { Located, Unlocated } from './targets.ts';
import { heldUnderAnotherName } from './hard-links.ts';

/** A digest goes out of date only when another guarded write begins or ends meanwhile. */
const TRIES = 5;

export function preWrite(scene: Scene, paths: readonly string[]): HookOutput {
  const denial = judgeWrite(scene, paths);
  if (denial !== null) return deny(denial);
  if (scene.input.host === 'copilot') keepOriginals(scene, paths);
  const linked = locate(scene, paths).filter(isLocated).filter(hasOtherNames);
  return linked.length === 0 ? SILENT : context('PreToolUse', heldUnderAnotherName(linked, scene.who.id));
}

const hasOtherNames = ({ target }: Located): boolean => target.kind === 'file' && target.links > 1;

/** Null: approved, and the intent is in the ledger. */
export function judgeWrite(scene: Scene, paths: readonly string[]): Denial | null {
  const found = locate(scene, paths);
  const lost =
    paths.length === 0 ? [nowhere(scene)] : found.filter((one): one is Unlocated => !isLocated(one));
  if (lost.length > 0 && !isOff(scene, scene.home))
    return denialOf(lost.map((one) => guardError(shown(one.given, scene), one.failure)));
  const begun: Place[] = [];
  for (const [place, targets] of byPlace(found.filter(isLocated))) {
    const files = targets.filter((target) => target.kind !== 'directory');
    if (files.length === 0 || isOff(scene, place)) continue;
    const verdict = begin(scene, place, files);
    if (verdict.verdict === 'approved') begun.push(place);
    if (verdict.verdict !== 'denied') continue;
    // All or nothing over several ledgers: what was approved elsewhere ends again.
    for (const other of begun) other.run({ type: 'op.end', who: scene.who, ops: [opOf(scene)] });
    return verdict.denial;
  }
  for (const place of begun) if (place.state_dir !== scene.home.state_dir) noteElsewhere(scene, place);
  return null;
}

export const isOff = ({ home, now }: Scene, place: Place): boolean =>
  readOff(pausedBy(place, home).state_dir, now) !== null;

const noteElsewhere = ({ home }: Scene, { repo }: Place): void => home.baselines.addElsewhere(repo.root);

/** `files` of one place; on approval their intents are in its ledger. */
export function begin(scene: Scene, place: Place, files: readonly Target[]): WriteVerdict {
  let ignored: readonly string[] | null | undefined =
    place.repo.kind === 'git' && place.repo.initialised ? null : undefined;
  for (let tries = 0; ; tries++) {
    const targets = files.map((file) => writeFacts(scene, place, file));
    const verdict = place.run({
      type: 'write.begin',
      who: scene.who,
      op: opOf(scene),
      tool: scene.input.tool,
      targets,
      home: homeLife(scene, place),
      worktree: place.repo.worktree ? worktreeMadeFor(scene, place) : undefined,
      reads: (turn) => filesRead(scene, place, turn),
      ignored,
    });
    if (verdict.verdict === 'denied') return withDifference(place, files, targets, verdict);
    if (verdict.verdict === 'approved') {
      targets.forEach((target) => keepUnseen(scene, place, target));
      return verdict;
    }
    if (verdict.verdict === 'ask') ignored = ignoredOf(place, files);
    if (tries >= TRIES) return unstable(place, files);
    scene.deadline();
  }
}

function ignoredOf({ repo, config }: Place, files: readonly Target[]): readonly string[] {
  const among = ignoredAmong(
    repo.root,
    files.map(({ real }) => real),
    config.deadline_ms / 2,
  );
  return files.filter(({ real }) => among.has(real)).map(({ path }) => path);
}

/** What the agent saw was kept when it saw it. */
function keepUnseen(scene: Scene, place: Place, target: WriteTarget & { readonly disk: SeenBytes }): void {
  if (target.disk.digest !== target.baseline?.digest) keepLater(scene, place, target, target.disk);
}

export function writeFacts(
  scene: Scene,
  place: Place,
  file: Target,
): WriteTarget & { readonly disk: SeenBytes } {
  const key = pathKey(file.path);
  const seen_touched = asPathState(place.glimpse.at([key])(key)).touched;
  const found = digestFile(file.real, { deadline: scene.deadline, want_bytes: true });
  const at = shownAt(file.abs, file.path, place.facts);
  const baseline = place.baselines.read(file.path);
  const disk = baseline ? found : sinceOwnDoing(scene, place, file, found);
  if (baseline?.digest && baseline.digest !== disk.digest)
    noticeOne(scene, place, file, baseline.digest, disk);
  return {
    path: file.path,
    abs: file.abs,
    disk: disk.state === 'missing' && baseline?.digest ? missed(scene, place, file, baseline) : disk,
    form: disk.bytes === undefined ? null : formOf(disk.bytes),
    baseline,
    seen_touched,
    objections: [...objectionsTo(scene, file, disk, at)],
  };
}

function* objectionsTo(
  scene: Scene,
  file: Target,
  disk: DiskFact,
  at: ReturnType<typeof shown>,
): Generator<Objection> {
  const reason = whyRefused(scene, file);
  if (reason !== null) yield protectedPath(at, reason);
  if (disk.state === 'unreadable' || disk.state === 'special') {
    const message =
      disk.state === 'special' ? 'it is not a regular file' : (disk.error ?? 'it cannot be read');
    yield guardError(at, {
      code: 'GUARD_ERR_UNREADABLE',
      message: `${at.abs}: ${message}.`,
      hint: 'Make the file readable, or write elsewhere.',
    });
  }
}

const shown = (given: string, scene: Scene) => ({
  abs: given,
  path: given,
  guard: scene.home.facts.guard_command,
});
