/** Calls that were refused because no one was there to allow them, and the role rule that would allow each. Pure. */
import type { RefusedTool } from '../core/needs.ts';
import { asText, type JsonObject } from '../core/json-object.ts';

/** Programs whose first word says little: the second one says what they do. */
const WITH_VERBS = new Set(
  'git npm pnpm yarn bun npx cargo go docker podman kubectl make pip uv poetry bundle gradle mvn dotnet'.split(
    ' ',
  ),
);
const VERB = /^[a-z][\w:.-]*$/;
const RULE_CHARS = 200;

/** One call may consist of several command lines, each of which needs its own rule. */
export function rulesFor(tool: string, input: JsonObject): string[] {
  if (tool === 'Bash') return linesIn(asText(input['command'])).map((line) => `Bash(${ruleOf(line)})`);
  const host = tool === 'WebFetch' ? hostIn(asText(input['url'])) : null;
  return [host === null ? tool : `${tool}(domain:${host})`];
}

/** As narrow as is useful: what follows a verb may differ; any other line is allowed verbatim. */
function ruleOf(line: string): string {
  const [program = '', verb = ''] = line.split(/\s+/);
  if (WITH_VERBS.has(program) && VERB.test(verb)) return `${program} ${verb}:*`;
  return line.length > RULE_CHARS ? `${program}:*` : line;
}

/** If quoting might hide a separator, the command counts as one line. */
function linesIn(command: string): string[] {
  const parts = /["'`$\\]/.test(command) ? [command] : command.split(/&&|\|\||[;|\n]/);
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function hostIn(url: string): string | null {
  try {
    return new URL(url).hostname || null;
  } catch {
    return null;
  }
}

/** One row per rule, most often refused first. */
export function countedRefusals(refused: readonly (readonly [tool: string, rule: string])[]): RefusedTool[] {
  const rows = new Map<string, RefusedTool>();
  for (const [tool, rule] of refused) rows.set(rule, { tool, rule, count: (rows.get(rule)?.count ?? 0) + 1 });
  return [...rows.values()].sort((a, b) => b.count - a.count);
}
