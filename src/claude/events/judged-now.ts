/** The ledger's verdict on a write now, rule by rule, without changing anything. */
import { type Judgement, judgements } from '../../core/rules/write-begin.ts';
import type { WriteTarget } from '../../core/rules/write-event.ts';
import { onSnapshot } from '../../store/operate.ts';
import { ignoredAmong } from '../../repo/ignored.ts';
import { worktreeMadeFor } from '../made-for.ts';
import type { HookSpace, Hook } from '../context.ts';
import { opOf } from './op.ts';
import { homeLife } from './targets.ts';

export function judgedNow(hook: Hook, space: HookSpace, target: WriteTarget): readonly Judgement[] {
  const event = {
    type: 'write.begin' as const,
    who: hook.who,
    op: opOf(hook),
    tool: hook.input.tool,
    targets: [target],
    home: homeLife(hook, space),
    worktree: worktreeMadeFor(hook, space),
    ignored: space.repo.kind === 'git' ? ignoredHere(space, target) : [],
  };
  return onSnapshot(space.store, (view) => judgements(view, event, space.facts()));
}

const ignoredHere = ({ repo, config }: HookSpace, { abs, path }: WriteTarget): readonly string[] =>
  ignoredAmong(repo.root, [abs], config.deadline_ms / 2).has(abs) ? [path] : [];
