import { releaseLine } from '../core/deadlock-words.ts';
import type { AgentId } from '../core/types.ts';
import { guardCommand } from '../install/guard-command.ts';
import type { SayRelease } from '../locks/rows.ts';
import type { Repo } from '../repo/locate.ts';
import { spelledAt } from '../repo/spelled.ts';

/** The command that releases locks, ready for a shell. @param name the caller's name, which callers outside a session must give */
export const releaseAs =
  (repo: Repo, name: AgentId | undefined): SayRelease =>
  (given) =>
    releaseLine(given, guardCommand(repo), spelledAt(repo), name);
