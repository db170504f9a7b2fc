/** Gemini CLI: hooks in its settings. */
import { join } from 'node:path';
import { homeOf } from '../../repo/user-dirs.ts';
import { googlesGroup as group } from './googles.ts';
import type { HostRow } from './host.ts';

export const geminiHooks: HostRow = {
  label: 'Gemini CLI',
  file: '.gemini/settings.json',
  userFile: (env) => join(homeOf(env), '.gemini', 'settings.json'),
  root: '${GEMINI_PROJECT_DIR:-.}',
  content: (line) => ({
    hooks: {
      SessionStart: [group(line())],
      BeforeAgent: [group(line())],
      BeforeTool: [
        group(line('closed'), '^(replace|write_file)$'),
        // Separate entries: if guard is broken, the shell is needed to repair it.
        group(line(), '^run_shell_command$', 'guard-shell'),
      ],
      AfterTool: [group(line(), '^(read_file|replace|write_file|run_shell_command)$')],
      AfterAgent: [group(line())],
      SessionEnd: [group(line())],
    },
  }),
  notes: () => [
    'Gemini CLI runs hooks only in a trusted folder. It does not distinguish subagents: a session and its subagents are one agent.',
  ],
};
