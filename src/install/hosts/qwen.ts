/** Qwen Code: hooks in its settings. */
import { join } from 'node:path';
import { homeOf } from '../../repo/user-dirs.ts';
import { googlesGroup as group } from './googles.ts';
import type { HostRow } from './host.ts';

const ENDED = '^(read_file|edit|write_file|notebook_edit|run_shell_command)$';

export const qwenHooks: HostRow = {
  label: 'Qwen Code',
  file: '.qwen/settings.json',
  userFile: (env) => join(homeOf(env), '.qwen', 'settings.json'),
  root: '${QWEN_PROJECT_DIR:-.}',
  content: (line) => ({
    hooks: {
      SessionStart: [group(line())],
      UserPromptSubmit: [group(line())],
      PreToolUse: [
        group(line('closed'), '^(edit|write_file|notebook_edit)$'),
        // Separate entries: if guard is broken, the shell is needed to repair it.
        group(line(), '^run_shell_command$', 'guard-shell'),
      ],
      PostToolUse: [group(line(), ENDED)],
      PostToolUseFailure: [group(line(), ENDED)],
      SubagentStart: [group(line())],
      SubagentStop: [group(line())],
      Stop: [group(line())],
      SessionEnd: [group(line())],
    },
  }),
  notes: () => ['Qwen Code runs the hooks of a project only in a trusted folder.'],
};
