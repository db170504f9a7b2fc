/** What guard answers to an event, rule by rule, for people. */
import type { Explanation } from '../../claude/explain.ts';
import { asText, type JsonObject, parsedObject } from '../../core/json-object.ts';
import { plain } from '../../core/plain.ts';
import type { Shell } from '../shell.ts';
import { columns } from './columns.ts';
import { denialLines } from './denial-lines.ts';

export function explanationLines(explanation: Explanation, { color }: Pick<Shell, 'color'>): string[] {
  const { event, tool, agent, answer } = explanation;
  const title = color.bold(plain(`${event} ${tool}`.trim()));
  if (!explanation.concerns_guard) return [`${title}: guard ignores this event.`];
  const place = explanation.guarded
    ? `locks ${explanation.enforcement ?? ''}`
    : 'not set up for guard: locks do not apply';
  const denial = answer.exit === 0 ? null : denialIn(answer.stdout);
  return [
    `${title} by ${plain(agent ?? '')} in ${plain(explanation.repository ?? '')} (${place})`,
    ...explanation.targets.flatMap((target) => [
      `${plain(target.path)}: ${target.disk.state}, ${target.baseline === null ? 'never seen by this agent' : `${target.baseline.knows} of turn ${target.baseline.turn}`}`,
      ...columns(target.rules.map((rule) => [rule.rule, rule.error_type ?? 'ok', plain(rule.message ?? '')])),
    ]),
    answer.exit === 0
      ? color.green('guard would allow this')
      : color.red(
          `guard would deny this${denial === null ? '' : `: ${plain(asText(denial['error_type']))}`}`,
        ),
    ...(denial !== null ? denialLines(denial) : answer.stdout === '' ? [] : [plain(answer.stdout.trim())]),
  ];
}

/** The denial in a hook's answer; `null` if the answer has another form. */
function denialIn(stdout: string): JsonObject | null {
  const { permissionDecisionReason } = parsedObject(stdout);
  const denial = parsedObject(asText(permissionDecisionReason));
  return denial['error_type'] === undefined ? null : denial;
}
