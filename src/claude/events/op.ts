/** The name of a call in the ledger. */
import type { Hook } from '../context.ts';

/** Without a tool_use_id (other hosts) every call is unique; a digest of its arguments ends in `@` (hosts/copilot.ts). */
export const opOf = ({ input, now }: Hook): string =>
  input.tool_use_id !== '' && !input.tool_use_id.endsWith('@')
    ? input.tool_use_id
    : `${input.tool_use_id || `${input.tool}@`}${now.mono_ms}`;
