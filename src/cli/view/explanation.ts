/** What guard answers to an event, rule by rule, for people. The answer itself is JSON for the client: `--json` has it. */
import type { Explanation } from '../../claude/explain.ts';
import { asObject, asText, type JsonObject, parsedObject } from '../../core/json-object.ts';
import { plain } from '../../core/plain.ts';
import type { Shell } from '../shell.ts';
import { columns } from './columns.ts';
import { denialLines } from './denial-lines.ts';

/** @param said messages that the reader has seen */
export function explanationLines(
  explanation: Explanation,
  { color }: Pick<Shell, 'color'>,
  said: ReadonlySet<string> = new Set(),
): string[] {
  const { event, tool, agent, answer } = explanation;
  const title = color.bold(plain(`${event} ${tool}`.trim()));
  if (!explanation.concerns_guard) return [`${title}: guard ignores this event.`];
  const place = explanation.guarded
    ? `locks ${explanation.enforcement ?? ''}`
    : 'not set up for guard: locks do not apply';
  const messages = explanation.targets.flatMap(({ rules }) => rules.map(({ message }) => message ?? ''));
  const denial = answer.exit === 0 ? null : denialIn(answer.stdout);
  return [
    `${title} by ${plain(agent ?? '')} in ${plain(explanation.repository ?? '')} (${place})`,
    ...explanation.targets.flatMap((target) => [
      `${plain(target.path)}: ${target.disk.state}, ${target.baseline === null ? 'never seen by this agent' : `${target.baseline.knows} of turn ${target.baseline.turn}`}`,
      ...columns(
        target.rules.map((rule) => [
          rule.rule,
          rule.error_type ?? 'ok',
          said.has(rule.message ?? '') ? '(as above)' : plain(rule.message ?? ''),
        ]),
      ),
    ]),
    answer.exit === 0
      ? color.green('guard would allow this')
      : color.red(
          `guard would deny this${denial === null ? '' : `: ${plain(asText(denial['error_type']))}`}`,
        ),
    ...(denial === null
      ? noteLines(answer.stdout)
      : messages.includes(asText(denial['message']))
        ? nextLines(denial, said)
        : denialLines(denial)),
  ];
}

/** The steps of a denial whose message is in the rows of the rules. */
const nextLines = (denial: JsonObject, said: ReadonlySet<string>): string[] =>
  said.has(asText(denial['message'])) ? [] : denialLines(denial).slice(1);

/** What the agent is told otherwise: text as it is, and of JSON what people can read. */
function noteLines(stdout: string): string[] {
  const told = parsedObject(stdout);
  const own = asObject(told['hookSpecificOutput']);
  const lines = [
    asText(told['reason']),
    ...asText(own['additionalContext']).split('\n'),
    own['updatedInput'] === undefined ? '' : 'guard changes the call: --json has the new input.',
  ];
  return lines.filter((line) => line !== '').map((line) => `  ${plain(line)}`);
}

/** The denial in a hook's answer; `null` if the answer has another form. */
function denialIn(stdout: string): JsonObject | null {
  const { permissionDecisionReason } = parsedObject(stdout);
  const denial = parsedObject(asText(permissionDecisionReason));
  return denial['error_type'] === undefined ? null : denial;
}
