/** The checkouts of a repository, by which transcripts name its files. */
import { mainRoot } from '../../repo/main-root.ts';
import type { Repo } from '../../repo/locate.ts';
import { otherCheckouts, rootInLedger } from '../../repo/other-checkouts.ts';
import type { CheckoutThen } from '../../simulate/world/places.ts';

/** The main checkout and its worktrees, as far as they still exist. */
export function checkoutsKnown(repo: Repo): readonly CheckoutThen[] {
  const others = otherCheckouts(repo).flatMap((name): CheckoutThen[] => {
    const root = rootInLedger(repo, name);
    return root === null ? [] : [{ name, root }];
  });
  const own = { name: repo.worktree ?? '', root: repo.root };
  const main = { name: '', root: mainRoot(repo) };
  return [own, ...others, main].filter(
    ({ name }, nth, all) => all.findIndex((one) => one.name === name) === nth,
  );
}
