/** Why a state directory is not trusted. */
import type { JoinFault } from '../repo.ts';

/**
 * - `gone`: this user set it up, but it is missing
 * - `unmarked`: not created by this user's guard: an archive, a copy of a repository, another home
 * - `copied`: created by it, but the directory is a different one: restored from a backup
 * - `ledger_…`: it joined the ledger of another clone, which has changed since
 */
export type Fault =
  | 'gone'
  | 'link'
  | 'file'
  | 'owner'
  | 'mode'
  | 'unmarked'
  | 'copied'
  | 'ledger_not_believed'
  | `ledger_${JoinFault}`;
