// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** What `guard init` recorded about the guard that serves a repository. Loaded by the hook bundle. */
import { attempt } from '../core/attempt.ts';
import { shellWord } from '../core/shell-word.ts';
import { type Install, readInstall } from '../repo/install.ts';
import type { Repo } from '../repo/locate.ts';
import { PROGRAMS } from './program-names.ts';

/** `guard init` adds this to install.json. */
export interface CommandOnRecord {
  /** How agents type it on this machine; the permission rules contain the same text. */
  readonly command?: string;
}

/** How an agent calls guard here, ready for a shell. Plain `guard` if nothing is recorded. */
export function guardCommand(repo: Repo): string {
  const install = recordOf(repo);
  if (install === null) return 'guard';
  const [program = '', ...earlier] = PROGRAMS.map((file) => shellWord(`${install.guard_root}/bin/${file}`));
  const { command } = install;
  return isOurs(command, [program, ...earlier]) ? command : `node ${program}`;
}

/** Agents are told to run it, so it is never free text: only `guard`, or a Node and the recorded program. */
function isOurs(command: unknown, programs: readonly string[]): command is string {
  if (command === 'guard') return true;
  if (typeof command !== 'string') return false;
  const program = programs.find((it) => command.endsWith(` ${it}`));
  const node = program === undefined ? '' : command.slice(0, -program.length - 1);
  return /^(?:node|\/[\w./+@-]+|'\/[^'\p{Cc}]+')$/u.test(node);
}

function recordOf(repo: Repo): (Install & CommandOnRecord) | null {
  // Code that relies on install.json reports the damage; a sentence that names a command must not fail because of it.
  return repo.initialised ? attempt(() => readInstall(repo.state_dir), null) : null;
}
