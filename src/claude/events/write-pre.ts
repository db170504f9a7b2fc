/** PreToolUse of a tool that writes files: gather the facts, let core decide, answer. */
import { type Denial, denialOf, type Objection } from '../../core/denial.ts';
import { pathKey } from '../../core/keys.ts';
import { guardError, protectedPath } from '../../core/messages.ts';
import { pausedBy } from '../../core/policy/pause.ts';
import { shownAt } from '../../core/shown.ts';
import { asPathState } from '../../core/states.ts';
import type { WriteTarget, WriteVerdict } from '../../core/rules/write-event.ts';
import { digestFile, type DiskFact } from '../../repo/digest.ts';
import type { Target } from '../../repo/canonical.ts';
import { isElsewhereToo } from '../../repo/has-worktrees.ts';
import { ignoredAmong } from '../../repo/ignored.ts';
import { readOff } from '../../install/off.ts';
import { keepOriginals } from '../hosts/originals.ts';
import { formOf } from '../text/encoding.ts';
import { keepLater } from '../keep-later.ts';
import type { SeenBytes } from '../kept.ts';
import { deny, DONE, type HookOutput, SILENT } from '../output.ts';
import { toldBefore } from '../beside/look.ts';
import { noticeOne } from '../commands/notice-all.ts';
import { sinceOwnDoing } from '../commands/own-doing.ts';
import { worktreeMadeFor } from '../made-for.ts';
import { filesRead } from '../read-files.ts';
import { whyRefused } from '../why-refused.ts';
import type { HookSpace, Hook } from '../context.ts';
import { notReadable, nowhere, unstable } from './odd-writes.ts';
import { withDifference } from './told-stale.ts';
import { opOf } from './op.ts';
import { missed } from './gone.ts';
import { bySpace, homeLife, isLocated, locate, type Unlocated } from './targets.ts';

/** A digest becomes stale only if another guarded write begins or ends in the meantime. */
const TRIES = 5;

export function preWrite(hook: Hook, paths: readonly string[]): HookOutput {
  const judged = judgeWrite(hook, paths);
  if (typeof judged === 'object') return deny(judged);
  if (hook.input.host !== 'claude') keepOriginals(hook, paths);
  const files = locate(hook, paths).filter(isLocated);
  const output = files.some(({ target }) => isElsewhereToo(target)) ? toldBefore(hook, files) : SILENT;
  return output === SILENT && judged && !hook.dry ? DONE : output;
}

/** The denial, or whether an intent is in a ledger. */
function judgeWrite(hook: Hook, paths: readonly string[]): Denial | boolean {
  const found = locate(hook, paths);
  const lost = paths.length === 0 ? nowhere(hook) : found.filter((one): one is Unlocated => !isLocated(one));
  if (lost.length > 0 && !isOff(hook, hook.home))
    return denialOf(lost.map((one) => guardError(shown(one.given, hook), one.failure))) ?? false;
  const begun: HookSpace[] = [];
  for (const [space, targets] of bySpace(found.filter(isLocated))) {
    const files = targets.filter((target) => target.kind !== 'directory');
    if (files.length === 0 || isOff(hook, space)) continue;
    const verdict = begin(hook, space, files);
    if (verdict.verdict === 'approved') begun.push(space);
    if (verdict.verdict !== 'denied') continue;
    // All or nothing across several ledgers: an approval elsewhere is withdrawn again.
    for (const other of begun) other.run({ type: 'op.end', who: hook.who, ops: [opOf(hook)] });
    return verdict.denial;
  }
  for (const { state_dir, repo } of begun)
    if (state_dir !== hook.home.state_dir) hook.home.baselines.addElsewhere(repo.root);
  return begun.length > 0;
}

export const isOff = ({ home, now }: Hook, space: HookSpace): boolean =>
  readOff(pausedBy(space, home).state_dir, now) !== null;

/** Checks `files` of one workspace; if approved, their intents are in its ledger. */
export function begin(hook: Hook, space: HookSpace, files: readonly Target[]): WriteVerdict {
  let ignored: readonly string[] | null | undefined =
    space.repo.kind === 'git' && space.repo.initialised ? null : undefined;
  for (let tries = 0; ; tries++) {
    const targets = files.map((file) => writeFacts(hook, space, file));
    const verdict = space.run({
      type: 'write.begin',
      who: hook.who,
      op: opOf(hook),
      tool: hook.input.tool,
      targets,
      home: homeLife(hook, space),
      worktree: space.repo.worktree ? worktreeMadeFor(hook, space) : undefined,
      reads: (turn) => filesRead(hook, space, turn),
      ignored,
    });
    if (verdict.verdict === 'denied') return withDifference({ hook, space }, files, targets, verdict);
    if (verdict.verdict === 'approved') {
      targets.forEach((target) => keepUnseen(hook, space, target));
      return verdict;
    }
    if (verdict.verdict === 'ask') ignored = ignoredOf(space, files);
    if (tries >= TRIES) return unstable(space, files);
    hook.deadline();
  }
}

function ignoredOf({ repo, config }: HookSpace, files: readonly Target[]): readonly string[] {
  const among = ignoredAmong(
    repo.root,
    files.map(({ real }) => real),
    config.deadline_ms / 2,
  );
  return files.filter(({ real }) => among.has(real)).map(({ path }) => path);
}

/** What the agent has seen was kept when it saw it. */
function keepUnseen(hook: Hook, space: HookSpace, target: WriteTarget & { readonly disk: SeenBytes }): void {
  if (target.disk.digest !== target.baseline?.digest) keepLater(hook, space, target, target.disk);
}

export function writeFacts(
  hook: Hook,
  space: HookSpace,
  file: Target,
): WriteTarget & { readonly disk: SeenBytes } {
  const key = pathKey(file.path);
  const seen_touched = asPathState(space.cache.get([key])(key)).touched;
  const found = digestFile(file.real, { deadline: hook.deadline, want_bytes: true });
  const baseline = space.baselines.read(file.path);
  const disk = baseline ? found : sinceOwnDoing(hook, space, file, found);
  if (baseline?.digest && baseline.digest !== disk.digest)
    noticeOne(hook, { space, target: file }, baseline.digest, disk);
  return {
    path: file.path,
    abs: file.abs,
    disk: disk.state === 'missing' && baseline?.digest ? missed(hook, space, file, baseline) : disk,
    form: disk.bytes === undefined ? null : formOf(disk.bytes),
    baseline,
    seen_touched,
    objections: [...objectionsTo(hook, file, disk, shownAt(file.abs, file.path, space.facts()))],
  };
}

function* objectionsTo(
  hook: Hook,
  file: Target,
  disk: DiskFact,
  at: ReturnType<typeof shown>,
): Generator<Objection> {
  const reason = whyRefused(hook, file);
  if (reason !== null) yield protectedPath(at, reason);
  if (disk.state === 'unreadable' || disk.state === 'special') yield notReadable(at, disk);
}

const shown = (given: string, hook: Hook) => ({
  abs: given,
  path: given,
  guard: hook.home.facts().guard_command,
});
