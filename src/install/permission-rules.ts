/** The permission rules that `guard init` adds, and how to recognise them later. Pure. */
import { OWN_COMMANDS } from '../core/own-commands.ts';

const AGENTS_RUN = Object.keys(OWN_COMMANDS).filter((name) => OWN_COMMANDS[name]?.is_free === true);

/**
 * What agents may run without asking: locks, reservations, messages to each other, queries. Not `off`, `uninstall` or
 * `doctor --fix`. The client compares rules with the command as text, quotes included, so the rule has the command's.
 */
export function permissionRules(command: string): readonly string[] {
  const free = AGENTS_RUN.map((name) => `Bash(${command} ${name}:*)`);
  // Denials name this one; `--fix` is for people.
  return [...free, `Bash(${command} doctor)`];
}

const GUARD_RULE = new RegExp(
  `^Bash\\((?:guard|.*[/\\\\]bin[/\\\\]guard\\.[cm]js['"]?) (?:(?:${AGENTS_RUN.join('|')}):\\*|doctor)\\)$`,
);

/** Whether only `guard init` writes such a rule: a guard command line up to one of the commands it allows. */
export const isGuardRule = (rule: string): boolean => GUARD_RULE.test(rule);
