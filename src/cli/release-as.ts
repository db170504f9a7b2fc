import { releaseLine } from '../core/deadlock-words.ts';
import type { AgentId } from '../core/types.ts';
import { guardCommand } from '../install/guard-command.ts';
import type { SayRelease } from '../locks/rows.ts';
import type { Repo } from '../repo/locate.ts';
import { spelledAt } from '../repo/spelled.ts';

/** The command that lets go, ready for a shell. @param name whoever is of no session must say it */
export const releaseAs =
  (repo: Repo, name: AgentId | undefined): SayRelease =>
  (given) =>
    releaseLine(given, guardCommand(repo), spelledAt(repo), name);
