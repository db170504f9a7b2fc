/** Whether the client here can be started as an agent: asked before there is one, so that nobody gets the id of one that cannot start. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { GuardError } from '../core/error.ts';
import { asText, parsedObject } from '../core/json-object.ts';
import { type Client, isAtLeast } from '../install/client.ts';
import { findOnWholePath } from '../install/find-on-path.ts';
import { replaceWithin } from '../repo/replace-whole.ts';
import { textOf } from '../repo/small-file.ts';
import { stampBehind } from '../repo/stat-key.ts';
import type { HarnessWorkspace } from './workspace.ts';

/** The oldest that the end-to-end tests have run. */
const OLDEST = '2.0.77';
const TIMEOUT_MS = 10_000;
const BYTES = 65_536;
const KEPT = 'client.json';

/** Its program. @throws GuardError GUARD_ERR_AGENT */
export function clientProgram(env: HarnessWorkspace['env']): string {
  const program = findOnWholePath('claude', env['PATH']);
  if (program !== null) return program;
  throw unfit('There is no "claude" on PATH.', 'Install Claude Code, or put it on PATH.', {
    lacks: 'client',
  });
}

/**
 * What it does not say of itself counts as fit: the agent's own end tells.
 * @param args that it would be started with
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

/** Texts of prompts, settings and servers follow a flag, and may begin with anything. */
function flagsIn(args: readonly string[]): readonly string[] {
  return args.filter(
    (arg, at) => /^--[a-z-]+$/.test(arg) && (at === 0 || !TAKES_TEXT.test(args[at - 1] ?? '')),
  );
}

const TAKES_TEXT = /^--(?:append-system-prompt|settings|mcp-config|model)$/;

/** By its own help, which takes a quarter of a second: kept as long as its file is the same. Null: it does not say. */
function flagsOf(dir: string, program: string): readonly string[] | null {
  const { key: stamp } = stampBehind(program);
  const kept = parsedObject(textOf(join(dir, KEPT), BYTES) ?? '');
  const known = asText(kept['flags']);
  if (stamp !== '' && kept['stamp'] === stamp) return known === '' ? null : known.split(' ');
  const found = [...helpOf(program).matchAll(/^ +(?:-\w, )?--[^ \n]+(?:, --[^ \n]+)*/gm)].flatMap(
    ([line]) => line.match(/--[a-zA-Z-]+/g) ?? [],
  );
  const flags = found.includes('--output-format') ? [...new Set(found)] : [];
  attempt(
    () => replaceWithin(dir, KEPT, `${JSON.stringify({ stamp, flags: flags.join(' ') })}\n`, true),
    undefined,
  );
  return flags.length === 0 ? null : flags;
}

/** Of a program that cannot be run standard output is null. */
const helpOf = (program: string): string =>
  asText(
    spawnSync(program, ['--help'], {
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).stdout,
  );

const unfit = (message: string, hint: string, facts: Readonly<Record<string, string | null>>): GuardError =>
  new GuardError('GUARD_ERR_AGENT', message, hint, { why: 'client', ...facts });
