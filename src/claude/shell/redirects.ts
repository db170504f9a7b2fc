/**
 * PreToolUse of Bash: a redirection, or `tee`, to a file that is protected. Only where the line names the file as it is;
 * everything else that a command may write is seen afterwards (events/watched.ts).
 */
import { isAbsolute, resolve } from 'node:path';
import { isGuardError } from '../../core/error.ts';
import { resolveTarget } from '../../repo/canonical.ts';
import type { Target } from '../../repo/canonical.ts';
import { homeOf } from '../../repo/user-dirs.ts';
import { asText } from '../input.ts';
import { deny } from '../output.ts';
import type { HookOutput } from '../output.ts';
import { byPlace } from '../events/targets.ts';
import { begin, isOff } from '../events/write-pre.ts';
import type { Scene } from '../scene.ts';
import { whyRefused } from '../suspect.ts';
import { commandsOf } from './command-line.ts';
import type { Commands } from './command-line.ts';

/** Where output goes, and no file. */
const SINKS = /^\/dev\/(?:null|zero|full|tty|std(?:in|out|err)|fd\/\d+)$/;

/** Null: no objection. */
export function judgeRedirects(scene: Scene): HookOutput | null {
  const line = asText(scene.input.tool_input['command']);
  const parsed = commandsOf(line);
  if (parsed === null) return null;
  const base = baseOf(scene, line, parsed);
  const files = [...new Set(parsed.writes)]
    .filter((path) => !SINKS.test(path))
    .flatMap((path) => targetOf(scene, path, base))
    .filter((file) => file.kind !== 'directory' && whyRefused(scene, file) !== null);
  const located = files.map((target) => ({ target, place: scene.place(target.repo) }));
  for (const [place, targets] of byPlace(located)) {
    if (isOff(scene, place)) continue;
    const verdict = begin(scene, place, targets);
    if (verdict.verdict === 'denied') return deny(verdict.denial);
  }
  return null;
}

/** A path that cannot be used is the shell's to refuse. */
function targetOf({ env }: Scene, path: string, base: string | null): readonly Target[] {
  const is_relative = !isAbsolute(path) && !path.startsWith('~/');
  if (is_relative && base === null) return [];
  try {
    return [resolveTarget(path, base ?? '/', { home: homeOf(env) })];
  } catch (error) {
    if (isGuardError(error)) return [];
    throw error;
  }
}

const MOVES = /^(?:cd|pushd|popd)$/;
const LEADING_CD =
  /^\s*cd\s+(?:"[^"$`\\]+"|'[^']+'|[^\s"'$`\\*?[{(;&|<>~-][^\s"'$`\\*?[{(;&|<>]*)\s*(?:&&|;|\n)/;

/** Where relative paths begin: in the directory of the call, or where its first command goes. Null: nobody can tell. */
function baseOf({ input }: Scene, line: string, { commands }: Commands): string | null {
  const moves = commands.filter(([name]) => MOVES.test(name?.value ?? ''));
  const [only, ...more] = moves;
  if (only === undefined) return input.cwd;
  const to = only[1]?.value;
  if (more.length > 0 || to === undefined || only !== commands[0] || !LEADING_CD.test(line)) return null;
  return resolve(input.cwd, to);
}
