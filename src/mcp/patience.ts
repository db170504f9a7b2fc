/** How long a client waits for the answer of a tool, as far as a server can know. Pure. */

/** The default of clients that use the protocol's SDK unchanged. */
const USUAL_MS = 60_000;

/** Claude Code waits for days, unless its user configures otherwise; servers see that variable, too (2.1.330). */
export function patienceOf(
  client: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): number {
  if (client !== 'claude-code') return USUAL_MS;
  const said = Number(env['MCP_TOOL_TIMEOUT']);
  return said > 0 ? said : Infinity;
}
