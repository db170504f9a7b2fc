/** Whether doctor may run a hook's command line, which comes from the author of the settings file and would run in a shell. */
import { type Finding, type Patient, warn } from '../check.ts';
import { PLUGIN_HOOK_COMMAND } from '../command.ts';
import { hookTable } from '../entries.ts';
import { hookNode } from '../hook-node.ts';
import type { HookSource } from '../hook-sources.ts';
import { absoluteLine, projectLine } from '../warm-line.ts';

/** Exactly what guard writes: `guard init` of this guard with this Node, or its plugin. */
function isWrittenByGuard(
  command: string,
  { kind }: HookSource,
  { env, repo, guard_root }: Patient,
): boolean {
  const node = hookNode({ env, root: repo.root });
  const own =
    kind === 'plugin'
      ? [PLUGIN_HOOK_COMMAND]
      : [false, true].flatMap((is_warm) => [
          projectLine({ is_warm }),
          absoluteLine({ is_warm, node, guard_root }),
        ]);
  return own.flatMap(commandsWith).includes(command);
}

const commandsWith = (own: string): string[] =>
  Object.values(hookTable(own, 'all')).flatMap((groups) =>
    groups.flatMap(({ hooks }) => hooks.map(({ command }) => command)),
  );

/** `null` if it may be run. */
export function whyNotRun(command: string, source: HookSource, patient: Patient): Finding | null {
  const facts = { command, from: source.path };
  if (isInSession(patient)) {
    const hint = 'A person can run "guard doctor" in a terminal: it sends a live event through the hook.';
    return warn(`No live event was sent through the ${source.name}: this is a session of an agent`, {
      facts,
      hint,
    });
  }
  if (isWrittenByGuard(command, source, patient)) return null;
  const hint = 'Look at it, then run: guard init';
  return warn(
    `No live event was sent through the ${source.name}: its command is not what guard init writes`,
    { facts, hint },
  );
}

/** A session of any client: an agent could write a settings file and run doctor, and so run any command without asking. */
const isInSession = ({ env }: Patient): boolean =>
  ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_SESSION_ID'].some((name) => (env[name] ?? '') !== '');
