/** The hooks that a drafted agent runs under: guard's own, handed over with its settings. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { shellWord } from '../core/shell-word.ts';
import { loadConfig } from '../config/load.ts';
import { type Client, eventsFor } from '../install/client.ts';
import { failClosed, LAUNCHER } from '../install/command.ts';
import { hookTable, type HookTable } from '../install/entries.ts';
import { guardLines } from '../install/hook-lines.ts';
import { guardRoot } from '../install/guard-root.ts';
import { isObject } from '../install/settings-text.ts';
import { absoluteLine, isWarmLine } from '../install/warm-line.ts';
import { SCOPES, settingsPath } from '../install/scopes.ts';
import type { HarnessWorkspace } from './workspace.ts';
import { SUPERVISOR, SUPERVISOR_START } from './client-call.ts';
import { isCommitted } from './worktree.ts';

const TIMEOUT_S = 60;
const GATED = '^mcp__.+__(?:draft|await|kill|message)_agent$';

/** @param base the commit whose contents the agent's own checkout gets; `null` if it has no checkout of its own */
export function agentHooks(
  { repo, root, env }: Pick<HarnessWorkspace, 'repo' | 'root' | 'env'>,
  { base, client }: { readonly base: string | null; readonly client: Client },
): HookTable {
  const { mcp, lock_servers } = loadConfig({ repo, env });
  const here = commandHere(root, env);
  const is_missing = base !== null && here.includes(LAUNCHER) && !isCommitted(root, base, LAUNCHER);
  const command = is_missing ? ownCommand(isWarmLine(here)) : here;
  const names = {
    readers: mcp.readers.map(({ tool }) => tool),
    writers: mcp.writers.map(({ tool }) => tool),
    lock_servers,
  };
  const events = eventsFor(client, () => true);
  const table = hookTable(command, events, names);
  const gate = {
    matcher: GATED,
    hooks: [
      {
        type: 'command' as const,
        command: failClosed(command),
        timeout: TIMEOUT_S,
        onFailure: 'block' as const,
      },
    ],
  };
  const alone = { hooks: [{ type: 'command' as const, command: aloneCommand(), timeout: TIMEOUT_S }] };
  return {
    ...table,
    PreToolUse: [...(table['PreToolUse'] ?? []), gate, { matcher: '*', ...alone }],
    Stop: [...(table['Stop'] ?? []), alone],
  };
}

/**
 * Plain shell: starts no process while the supervisor lives. A zombie keeps its pid, but counts as dead, and so does another
 * process with that pid. Fields of `stat` are counted from the last `)`: the 1st is the state, the 20th the start time.
 */
const ALONE = [
  `P=$${SUPERVISOR} T=$${SUPERVISOR_START} S=; [ -z "$P" ] || { { read -r S <"/proc/$P/stat"; } 2>/dev/null`,
  'set -- ${S##*) }',
  '[ "$1" != Z ] && [ "${20}" = "${T:-${20}}" ] && kill -0 "$P" 2>/dev/null; }',
].join('; ');
const aloneCommand = (): string =>
  `${ALONE} || exec ${shellWord(process.execPath)} ${shellWord(join(guardRoot(), 'dist', 'cli', 'alone.mjs'))}`;

/** The command that settings here already have: the client runs a hook only once if two settings share it. */
function commandHere(root: string, env: HarnessWorkspace['env']): string {
  for (const scope of SCOPES) {
    const command = installed(settingsPath(scope, root, env));
    if (command !== null) return command;
  }
  return ownCommand(false);
}

const ownCommand = (is_warm: boolean): string =>
  absoluteLine({ is_warm, node: process.execPath, guard_root: guardRoot() });

/** `guard doctor` reports what is wrong with the file; the agent's own hooks do not depend on it. */
const installed = (file: string): string | null =>
  attempt(() => {
    const settings: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const lines = isObject(settings) ? guardLines(settings) : [];
    return lines.find(({ event }) => event === 'SessionStart')?.command ?? null;
  }, null);
