/**
 * Codex CLI: `hooks.json`, with Claude's nesting. A person trusts each definition by its digest, so if any version of guard
 * wrote a different text, every session would be unguarded until it is trusted again: change nothing here without need.
 */
import { join } from 'node:path';
import { homeOf } from '../../repo/user-dirs.ts';
import type { HookGroup } from '../entries.ts';
import { type HostLine, type HostRow, TIMEOUT_S } from './host.ts';

/** What the client allows at the end of a session or of an interrupted turn. */
const END_TIMEOUT_S = 3;

const group = (command: string, matcher?: string, timeout = TIMEOUT_S): HookGroup => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: 'command', command, timeout }],
});

export const codexHooks: HostRow = {
  label: 'Codex',
  file: '.codex/hooks.json',
  userFile: (env) => join(env['CODEX_HOME'] || join(homeOf(env), '.codex'), 'hooks.json'),
  // Its hooks are not told the project, and run where the session was started.
  root: '$(git rev-parse --show-toplevel 2>/dev/null || pwd)',
  content: (line: HostLine) => ({
    hooks: {
      SessionStart: [group(line())],
      UserPromptSubmit: [group(line())],
      // Separate entries: if guard is broken, the shell is needed to repair it.
      PreToolUse: [group(line('closed'), '^apply_patch$'), group(line(), '^(Bash|mcp__.*)$')],
      PostToolUse: [group(line(), '^(apply_patch|Bash|mcp__.*)$')],
      SubagentStart: [group(line())],
      SubagentStop: [group(line())],
      Stop: [group(line())],
      Interrupt: [group(line(), undefined, END_TIMEOUT_S)],
      SessionEnd: [group(line(), undefined, END_TIMEOUT_S)],
    },
  }),
  notes: (scope) => [
    'Codex runs no hook that a person has not trusted: start codex here, open /hooks and trust the hooks of guard. Until then nothing is guarded, and Codex does not say so; "guard doctor" does.',
    ...(scope === 'project'
      ? [
          'The trust applies only to this clone: every other clone needs its own. "guard init --host codex --scope user" needs it once for all repositories.',
        ]
      : []),
  ],
};
