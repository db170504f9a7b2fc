/** Why a state directory is not believed. */
import type { JoinFault } from '../repo.ts';

/**
 * - `gone`: this user set it up, and it is not there
 * - `unmarked`: this user's guard did not make it: an archive, a copy of a repository, another home
 * - `copied`: made by it, but the directory is another one: restored from a backup
 * - `ledger_…`: it joined the ledger of another clone, which is not as it was
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
