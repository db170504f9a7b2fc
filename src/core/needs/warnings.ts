/** Why writes here are not checked, or not as they should be: about the repository as a whole. Pure. */
import { checkoutWords } from '../checkout-words.ts';
import { plain } from '../plain.ts';
import { age } from '../time.ts';

export interface RepositoryWarning {
  readonly text: string;
  readonly tone: 'red' | 'yellow';
}

interface RepositorySeen {
  readonly repository: string;
  readonly hooked: boolean;
  readonly off_until: string | null;
  /** Events not yet in the ledger. */
  readonly late: number;
  readonly standing: readonly { readonly checkout: string; readonly operation: string }[];
  readonly unjoined: readonly object[] | null;
}

const UNHOOKED = 'No hooks of guard are installed here, so sessions are not guarded. Run: guard init';

const startsWhere = (root: string): string =>
  `Claude Code is running here without guard. Start it in ${plain(root)}, or run: guard init --scope user`;

export function warningsOf(
  { repository, hooked, off_until, late, standing, unjoined }: RepositorySeen,
  now_ms: number,
): readonly RepositoryWarning[] {
  const warn = (text: string): RepositoryWarning => ({ text, tone: 'yellow' });
  const off = off_until === null ? '' : age(Date.parse(off_until) - now_ms);
  return [
    ...(off_until === null ? [] : [warn(`guard is off for ${off}: writes are not checked`)]),
    ...(hooked ? [] : [{ text: UNHOOKED, tone: 'red' as const }]),
    ...standing.map(({ checkout, operation }) =>
      warn(`A ${operation} is half done in ${checkoutWords(checkout)}`),
    ),
    ...((unjoined ?? []).length === 0 ? [] : [warn(startsWhere(repository))]),
    ...(late === 0 ? [] : [warn(`Not yet written to the ledger, which was busy: ${late}`)]),
  ];
}
