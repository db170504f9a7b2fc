/** Whether a command line in a settings file runs guard's hook and passes on its answer. Pure. */
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

/** What may follow: nothing, what guard writes now, and what guard 0.1.0 wrote. */
const ENDINGS: readonly string[] = ['', failClosed(''), ' || exit 2'];

/** A word as shellWord writes it (src/core/shell-word.ts). */
const WORD = String.raw`(?:[\w@%+=:,./-]+|'[^']*'(?:\\''[^']*')*)`;

/** Through a named Node, alone (guard 0.1.0) or with the one on PATH as a fallback. */
const BY_PATH = new RegExp(
  String.raw`^(?:N=(${WORD}); \[ -x "\$N" \] \|\| N=node; (?:${NO_CERTIFICATES})?"\$N"|(${WORD})) (${WORD}) guard$`,
);

/**
 * The whole line is compared: `true || node …/guard-hook.cjs`, `node -e 0 …/guard-hook.cjs` and `node …/guard-hook.cjs
 * || true` all name guard, and none of them guards.
 */
export function runsGuard(command: string): boolean {
  if (runsLauncher(command)) return true;
  const [, kept, only, hook = ''] = BY_PATH.exec(bareOf(command)) ?? [];
  return isNode(kept ?? only ?? '') && isHook(plainOf(hook));
}

/** `--require=/x/dist/hook.cjs` is an option of Node, not a hook. */
const isHook = (file: string): boolean => file.endsWith('/dist/hook.cjs') && !file.startsWith('-');

/** Runs the protected file of this checkout, and no other program. */
export const runsLauncher = (command: string): boolean => LAUNCHER_CALLS.includes(bareOf(command));

/** Removes what guard writes, or wrote, before and after a Node. To a shell, any other blank is part of a word. */
function bareOf(command: string): string {
  const line = command.replace(/^[ \t\n]+|[ \t\n]+$/g, '');
  const ending = ENDINGS.findLast((one) => line.endsWith(one)) ?? '';
  const cold = coldLine(line.slice(0, line.length - ending.length));
  return cold.startsWith(NO_CERTIFICATES) ? cold.slice(NO_CERTIFICATES.length) : cold;
}

/** Debian calls it `nodejs`; a version manager may append a version. `A=/bin/node` assigns, and runs what follows. */
const isNode = (word: string): boolean =>
  /^(?:.*[/\\])?node(?:js)?[\d.-]*(?:\.exe)?$/i.test(plainOf(word)) && !/^[A-Za-z_]\w*\+?=/.test(word);

const plainOf = (word: string): string =>
  word.startsWith("'") ? word.slice(1, -1).replaceAll(String.raw`'\''`, "'") : word;
