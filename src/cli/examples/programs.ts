import type { Examples } from './example.ts';

export const PROGRAM_EXAMPLES: Examples = {
  mcp: {
    examples: [
      ['guard mcp', 'serve the lock and coordination tools'],
      ['guard mcp --tools locks', 'only the lock tools'],
      ['guard mcp --agent codex', 'for a client without hooks'],
    ],
  },
  serve: {
    examples: [
      ['guard serve', 'on 127.0.0.1:7338 and on a socket'],
      ['guard serve --port 0 --json', 'on a free port, and print which'],
      ['guard serve --no-tcp', 'only on the socket'],
    ],
  },
  hook: {
    examples: [
      ['guard hook < event.json', 'answer one event of Claude Code'],
      ['guard hook --host codex < event.json', 'answer one event of another client'],
      ['guard explain event.json', 'show what it would answer, and why'],
    ],
    see_also: 'Exit code 0: answered; 2: the write is denied.\n',
  },
  statusline: {
    examples: [
      ['guard init --statusline', 'show it below each session'],
      ['guard statusline < session.json', 'print the line of one session'],
      ['guard statusline --beside "my-line --short"', 'after your own status line'],
    ],
  },
  'git-hook': {
    examples: [
      ['guard init --git-hooks', 'check every commit before it is made'],
      ['guard init --push-hook', 'check every push before it is made'],
      ['guard git-hook pre-commit', 'the command that git runs'],
      ['guard git-hook pre-push', 'the same before a push'],
      ['guard doctor', 'check that git finds it'],
    ],
  },
};
