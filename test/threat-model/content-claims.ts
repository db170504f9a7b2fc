/** Claims of docs/threat-model.md about file contents: overwritten unseen, kept, restored. */
import type { Claim } from './claim.ts';

export const CONTENT_CLAIMS: Readonly<Record<string, Claim>> = {
  'an agent writes over content it has not seen': {
    attempt:
      'an agent overwrites content it has not seen, with Edit, Write, NotebookEdit, or an MCP tool that is configured or known to write',
    says: ['denied (`STALE_FILE`, `UNREAD_FILE`)'],
  },
  'copies of secrets': {
    attempt: 'agents read or write files that contain keys or passwords, and copies are kept for undo',
    says: [
      'files with typical names (`.env*`, `*.pem`, `credentials*`, …), private keys and whatever matches `undo.exclude` are never copied',
      'copies have mode 0600 and are deleted after a week',
      '**A secret in a file with an ordinary name is copied with it**',
    ],
  },
  'copies that fill the disk': {
    attempt: "an agent, or a repository's configuration, causes so much to be kept that the disk fills",
    says: [
      'at most 64 MiB is kept, and no file over 4 MiB',
      'copies are swept at the start of a session and about once for every 8 MiB added',
      'A repository can only lower these limits',
    ],
  },
  'an undo against the rules': {
    attempt:
      "an agent uses `guard undo` to revert a person's change to guard's files, or another agent's work",
    says: ['denied like a write of the same content (`PROTECTED_PATH`, `LOCKED_BY_OTHER`, `NOT_LOCKED`)'],
  },
};
