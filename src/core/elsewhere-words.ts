// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The lines that tell an agent about the same files in other checkouts: one per agent and checkout, up to a limit. */
import { checkoutWords } from './checkout-words.ts';
import { grouped } from './grouped.ts';
import { plain } from './plain.ts';
import type { Elsewhere } from './rules/elsewhere.ts';
import { inMain } from './lease-scope.ts';

const LINES_MAX = 4;
const FILES_MAX = 3;

const DOES = { holds: 'has locked', writes: 'is writing', wrote: 'changed' } as const;

export function elsewhereLines(found: readonly Elsewhere[]): readonly string[] {
  const groups = grouped(found, ({ checkout, agent, does }) => JSON.stringify([checkout, agent, does]));
  const lines = [...groups.values()].map(lineFor);
  const more = lines.length - LINES_MAX;
  return [...lines.slice(0, LINES_MAX), ...(more > 0 ? [`And ${more} more in other worktrees.`] : [])];
}

function lineFor(group: readonly [Elsewhere, ...(readonly Elsewhere[])]): string {
  const [{ path: asked, checkout, agent, does, since }] = group;
  const files = group.slice(0, FILES_MAX).map(({ path }) => JSON.stringify(plain(inMain(path))));
  const more = group.length > FILES_MAX ? ` and ${group.length - FILES_MAX} more` : '';
  // If machines share the ledger, only an older guard leaves its checkout unnamed.
  const isUnnamed = checkout === '' && asked.startsWith('//~@');
  const where = isUnnamed ? "another machine's main checkout" : checkoutWords(checkout);
  const when = since === null ? '' : ` (${does === 'wrote' ? 'last' : 'since'} ${since})`;
  return `${plain(agent)} ${DOES[does]} ${files.join(', ')}${more} in ${where}${when}: its changes and yours meet when they are merged.`;
}
