/** The newest denial as text, and the same call now. */
import { asText } from '../../core/json-object.ts';
import { localMoment } from '../../core/local-time.ts';
import { plain } from '../../core/plain.ts';
import { age } from '../../core/time.ts';
import type { AgentId } from '../../core/types.ts';
import { wallMs } from '../../repo/clock.ts';
import type { LastExplained } from '../last-denial.ts';
import type { Shell } from '../shell.ts';
import { denialLines } from './denial-lines.ts';
import { explanationLines } from './explanation.ts';

export function lastDenialLines(
  { last, now }: LastExplained,
  nameOf: (id: AgentId) => string,
  shell: Shell,
): string {
  if (last === null) return 'The ledger has no denied write.\n';
  const { denial, files, agent, tool, at, lsn } = last;
  const message = asText(denial['message']);
  const at_ms = Date.parse(at);
  const when = `${age(wallMs() - at_ms)} ago, ${localMoment(at_ms)} (lsn ${lsn})`;
  const then = [
    shell.color.bold(plain(`${tool} ${files.join(', ')}`)),
    `denied to ${nameOf(agent)} ${when}: ${shell.color.red(asText(denial['error_type']))}`,
    ...denialLines(denial),
  ];
  const today =
    now === null
      ? ['The record does not contain enough to evaluate the same call now.']
      : ['The same call now:', ...explanationLines(now, shell, new Set([message]))];
  return `${[...then, '', ...today].join('\n')}\n`;
}
