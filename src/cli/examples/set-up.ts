import type { Examples } from './example.ts';

export const SET_UP_EXAMPLES: Examples = {
  init: {
    examples: [
      ['guard init', 'guard this repository, for everyone who works on it'],
      ['guard init --dry-run', 'show the changes as a diff without making them'],
      ['guard init --scope local --preset auto', 'only this checkout; locks are taken automatically'],
      ['guard init --mcp', 'register the lock tools as an MCP server, too'],
    ],
  },
  uninstall: {
    examples: [
      ['guard uninstall --dry-run', 'show what would be removed'],
      ['guard uninstall', 'restore the settings; the ledger is kept'],
      ['guard uninstall --purge', 'remove the ledger, too'],
    ],
  },
  off: {
    examples: [
      ['guard off --for 10m', 'let every write pass for ten minutes'],
      ['guard off --now-on', 'end it now'],
      ['guard off --for 2h --json', 'print when it ends'],
    ],
  },
  doctor: {
    examples: [
      ['guard doctor', 'check everything; exit code 1 if something failed'],
      ['guard doctor --fix', 'repair what can be repaired safely'],
      ['guard doctor --fix --quarantine', 'also set damaged ledger records aside'],
    ],
  },
  fleet: {
    examples: [
      ['guard fleet init postgres://db.example/guard', 'move this repository to a database'],
      ['guard fleet join', 'move this clone there, too'],
      ['guard fleet leave', 'go back to a separate ledger'],
      ['guard fleet status', 'which machines are up'],
      ['guard fleet restored --closed-for 10m', 'after the database was restored'],
      ['guard fleet bench --for 20s', 'how many operations per second the database handles'],
      ['guard fleet migrate', 'bring its schema up to date'],
    ],
  },
  completion: {
    examples: [
      ['guard completion bash > ~/.local/share/bash-completion/completions/guard', 'for bash'],
      ['guard completion zsh > ~/.zfunc/_guard', 'for zsh'],
      ['guard completion fish > ~/.config/fish/completions/guard.fish', 'for fish'],
    ],
  },
};
