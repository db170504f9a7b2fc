/** What the ledger would say of a write now, rule by rule, without changing anything. */
import { judgements } from '../../core/rules/write-begin.ts';
import type { Judgement, WriteTarget } from '../../core/rules/write-begin.ts';
import { onSnapshot } from '../../store/operate.ts';
import { ignoredAmong } from '../../repo/ignored.ts';
import { worktreeMadeFor } from '../made-for.ts';
import type { Place, Scene } from '../scene.ts';
import { opOf } from './op.ts';
import { homeLife } from './targets.ts';

export function judgedNow(scene: Scene, place: Place, target: WriteTarget): readonly Judgement[] {
  const event = {
    type: 'write.begin' as const,
    who: scene.who,
    op: opOf(scene),
    tool: scene.input.tool,
    targets: [target],
    home: homeLife(scene, place),
    worktree: worktreeMadeFor(scene, place),
    ignored: place.repo.kind === 'git' ? ignoredHere(place, target) : [],
  };
  return onSnapshot(place.store, (view) => judgements(view, event, place.facts));
}

const ignoredHere = ({ repo, config }: Place, { abs, path }: WriteTarget): readonly string[] =>
  ignoredAmong(repo.root, [abs], config.deadline_ms / 2).has(abs) ? [path] : [];
