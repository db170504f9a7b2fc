/** What guard answers to an event, rule by rule, for people. */
import type { Explanation } from '../../claude/explain.ts';
import { plain } from '../../core/plain.ts';
import type { Shell } from '../shell.ts';
import { columns } from './columns.ts';

export function explanationLines(explanation: Explanation, { color }: Pick<Shell, 'color'>): string[] {
  const { event, tool, agent, answer } = explanation;
  const title = color.bold(plain(`${event} ${tool}`.trim()));
  if (!explanation.concerns_guard) return [`${title}: guard ignores this event.`];
  const place = explanation.guarded
    ? `locks ${explanation.enforcement ?? ''}`
    : 'not set up for guard: locks do not apply';
  const verdict = answer.exit === 0 ? color.green('guard has no objection') : color.red('guard refuses');
  return [
    `${title} by ${plain(agent ?? '')} in ${plain(explanation.repository ?? '')} (${place})`,
    ...explanation.targets.flatMap((target) => [
      `${plain(target.path)}: ${target.disk.state}, ${target.baseline === null ? 'never seen by this agent' : `${target.baseline.knows} of turn ${target.baseline.turn}`}`,
      ...columns(target.rules.map((rule) => [rule.rule, rule.error_type ?? 'ok', plain(rule.message ?? '')])),
    ]),
    verdict,
    ...(answer.stdout === '' ? [] : [plain(answer.stdout.trim())]),
  ];
}
