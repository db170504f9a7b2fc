import { checking, type Finding, ok, warn } from '../check.ts';
import { isGuardHookCommand } from '../command.ts';
import { type HookLine, hookLines } from '../hook-lines.ts';

/** No one lets a tool call wait for a quarter of an hour; 5000 was meant as milliseconds. */
const LOOKS_LIKE_MS = 1000;
/** With 6 clients on 2 cores, a hook took up to 0.9 s; others report hooks killed at 10 s. */
const TOO_SHORT_S = 10;

export const timeouts = checking('timeouts', ({ settings }) => {
  const wrong = settings.flatMap(({ path, value }) => hookLines(value).flatMap((hook) => judge(path, hook)));
  return wrong.length > 0 ? wrong : [ok('Hook timeouts are seconds, and long enough')];
});

function judge(path: string, { at, event, command, timeout }: HookLine): readonly Finding[] {
  if (typeof timeout !== 'number') return [];
  const own = isGuardHookCommand(command);
  const facts = { file: path, at, timeout };
  if (timeout >= LOOKS_LIKE_MS) {
    const hint = `Timeouts are seconds: ${timeout} is ${Math.round(timeout / 60)} minutes. Did you mean ${timeout / 1000}?`;
    return [warn(`${path}, ${at}: timeout ${timeout}`, { facts, hint, fixable: own })];
  }
  if (!own || event === 'SessionEnd' || timeout >= TOO_SHORT_S) return [];
  const hint =
    'A busy machine needs more; a hook that is timed out lets the write through on clients before 2.1.300.';
  return [warn(`${path}, ${at}: timeout ${timeout} s is short`, { facts, hint, fixable: true })];
}
