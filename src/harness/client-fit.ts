/** Whether the client here can run as an agent, checked first, so that no one gets the id of an agent that cannot start. */
import { join } from 'node:path';
import { GuardError } from '../core/error.ts';
import { type Client, isAtLeast } from '../install/client.ts';
import { findOnWholePath } from '../install/find-on-path.ts';
import { flagsOf } from './client-flags.ts';
import type { HarnessWorkspace } from './workspace.ts';

/** The oldest version that the end-to-end tests have run. */
const OLDEST = '2.0.77';

/** The client's program. @throws GuardError GUARD_ERR_AGENT */
export function clientProgram(env: HarnessWorkspace['env']): string {
  const program = findOnWholePath('claude', env['PATH']);
  if (program !== null) return program;
  throw unfit('There is no "claude" on PATH.', 'Install Claude Code, or put it on PATH.', {
    lacks: 'client',
  });
}

/**
 * What the client does not say about itself counts as fit; if it is not, the agent's own end shows it.
 * @param args the arguments it would be started with
 * @throws GuardError GUARD_ERR_AGENT
 */
export function requireFit(
  { repo }: Pick<HarnessWorkspace, 'repo'>,
  program: string,
  client: Client,
  args: readonly string[],
): void {
  const { version } = client;
  if (!isAtLeast(client, OLDEST))
    throw unfit(`Claude Code ${String(version)} is older than ${OLDEST}.`, 'Update Claude Code.', {
      version,
    });
  const known = flagsOf(join(repo.state_dir, 'agents'), program);
  const lacks = known === null ? [] : flagsIn(args).filter((flag) => !known.includes(flag));
  if (lacks.length === 0) return;
  const said = `Claude Code ${version ?? ''} at ${program} has no ${lacks.join(', ')}`.replace('  ', ' ');
  throw unfit(`${said}.`, 'Update Claude Code.', { version, lacks: lacks.join(',') });
}

/** The texts of prompts, settings and servers follow a flag, and may begin with anything. */
function flagsIn(args: readonly string[]): readonly string[] {
  return args.filter(
    (arg, at) => /^--[a-z-]+$/.test(arg) && (at === 0 || !TAKES_TEXT.test(args[at - 1] ?? '')),
  );
}

const TAKES_TEXT = /^--(?:append-system-prompt|settings|mcp-config|model)$/;

const unfit = (message: string, hint: string, facts: Readonly<Record<string, string | null>>): GuardError =>
  new GuardError('GUARD_ERR_AGENT', message, hint, { why: 'client', ...facts });
