import { WRITER_NAMES } from '../../claude/tools.ts';
import { isFailClosed } from '../command.ts';
import { checking, fail, type Finding, ok } from '../check.ts';
import { guardSources, type HookSource } from '../hook-sources.ts';
import { matcherMatches } from '../matcher.ts';

/** If a hook crashes, is missing or is killed, the write runs unless its entry says otherwise. */
export const failsClosed = checking('fail_closed', (patient) => {
  const sources = guardSources(patient);
  const wrong = sources.flatMap(openEntries);
  if (wrong.length > 0) return wrong;
  const lines = sources.flatMap((source) => source.lines).filter(({ event }) => event === 'PreToolUse');
  const missing = WRITER_NAMES.filter((tool) => !lines.some(({ matcher }) => matcherMatches(matcher, tool)));
  if (sources.length === 0 || missing.length === 0)
    return ok('Writes are denied when guard cannot check them');
  const hint = 'Run: guard init';
  return fail(`guard is not asked about ${missing.join(', ')}`, { facts: { missing }, hint, fixable: true });
});

function openEntries({ name, path, lines }: HookSource): readonly Finding[] {
  return lines
    .filter(({ event, matcher }) => event === 'PreToolUse' && matcherMatches(matcher, 'Write'))
    .filter(({ command, onFailure }) => !isFailClosed(command) || onFailure !== 'block')
    .map(({ at, command, onFailure }) => {
      const lacks = [
        ...(isFailClosed(command) ? [] : ['"|| { …; exit 2; }"']),
        ...(onFailure === 'block' ? [] : ['"onFailure": "block"']),
      ];
      return fail(`${name}, ${at}: ${lacks.join(' and ')} is missing, so a failing hook lets the write run`, {
        facts: { file: path, at, lacks },
        hint: 'Run: guard init',
        fixable: true,
      });
    });
}
