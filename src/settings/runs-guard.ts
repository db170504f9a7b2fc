/** Whether a command line in a settings file runs guard's hook and hands on its answer. Pure. */
import { failClosed, LAUNCHER, NO_CERTIFICATES } from '../install/command.ts';
import { coldLine } from '../install/warm-line.ts';

/** As `guard init` writes them, and as people copy them by hand: the hook runs in the project's root. */
const LAUNCHER_CALLS: readonly string[] = [
  ...['$CLAUDE_PROJECT_DIR', '${CLAUDE_PROJECT_DIR}', '${CLAUDE_PROJECT_DIR:-.}'].flatMap((dir) => [
    `node "${dir}/${LAUNCHER}"`,
    `node "${dir}"/${LAUNCHER}`,
    `node ${dir}/${LAUNCHER}`,
  ]),
  `node ${LAUNCHER}`,
];

/** What comes after it: nothing, what guard writes now, and what guard 0.1.0 wrote. */
const ENDINGS: readonly string[] = ['', failClosed(''), ' || exit 2'];

/** A word as shellWord writes it (src/core/shell-word.ts). */
const WORD = String.raw`(?:[\w@%+=:,./-]+|'[^']*'(?:\\''[^']*')*)`;

/** Through a Node that is named, alone (guard 0.1.0) or with the one on PATH in its place. */
const BY_PATH = new RegExp(
  String.raw`^(?:N=(${WORD}); \[ -x "\$N" \] \|\| N=node; (?:${NO_CERTIFICATES})?"\$N"|(${WORD})) (${WORD}) guard$`,
);

/**
 * Compared whole: `true || node …/guard-hook.cjs`, `node -e 0 …/guard-hook.cjs` and `node …/guard-hook.cjs || true` all
 * name guard, and none of them guards.
 */
export function runsGuard(command: string): boolean {
  if (runsLauncher(command)) return true;
  const [, kept, only, hook = ''] = BY_PATH.exec(bareOf(command)) ?? [];
  return isNode(kept ?? only ?? '') && isHook(plainOf(hook));
}

/** `--require=/x/dist/hook.cjs` is an option of Node's. */
const isHook = (file: string): boolean => file.endsWith('/dist/hook.cjs') && !file.startsWith('-');

/** By the protected file of this checkout, and no other program. */
export const runsLauncher = (command: string): boolean => LAUNCHER_CALLS.includes(bareOf(command));

/** Without what guard writes before a Node and behind it, or wrote. Other blanks than these are part of a word to a shell. */
function bareOf(command: string): string {
  const line = command.replace(/^[ \t\n]+|[ \t\n]+$/g, '');
  const ending = ENDINGS.findLast((one) => line.endsWith(one)) ?? '';
  const cold = coldLine(line.slice(0, line.length - ending.length));
  return cold.startsWith(NO_CERTIFICATES) ? cold.slice(NO_CERTIFICATES.length) : cold;
}

/** Debian calls it `nodejs`; a version manager may put its version behind. `A=/bin/node` is an assignment, and runs what follows. */
const isNode = (word: string): boolean =>
  /^(?:.*[/\\])?node(?:js)?[\d.-]*(?:\.exe)?$/i.test(plainOf(word)) && !/^[A-Za-z_]\w*\+?=/.test(word);

const plainOf = (word: string): string =>
  word.startsWith("'") ? word.slice(1, -1).replaceAll(String.raw`'\''`, "'") : word;
