/** Claims of docs/threat-model.md about what is in files: written unseen, kept, brought back. */
import type { Claim } from './claim.ts';

export const CONTENT_CLAIMS: Readonly<Record<string, Claim>> = {
  'an agent writes over content it has not seen': {
    attempt:
      'an agent writes over content it has not seen, by Edit, Write, NotebookEdit, or an MCP tool that is configured or known to write',
    says: ['denied (`STALE_FILE`, `UNREAD_FILE`)'],
  },
  'copies of secrets': {
    attempt:
      'keys and passwords are in files that agents read or write, and copies of these are kept for undo',
    says: [
      'files with the names of such (`.env*`, `*.pem`, `credentials*`, …), private keys and what `undo.exclude` names are never copied',
      'copies are 0600 and go after a week',
      '**A secret in a file of an ordinary name is copied with it**',
    ],
  },
  'copies that fill the disk': {
    attempt: "an agent, or a repository's configuration, has so much kept that the disk fills",
    says: [
      'at most 64 MiB, files over 4 MiB not at all',
      "swept at a session's start and about once for 8 MiB that came in",
      'A repository can only lower the bounds',
    ],
  },
  'an undo against the rules': {
    attempt:
      "an agent takes back what a person did to guard's files, or another agent's work, with `guard undo`",
    says: ['denied as a write of the same content is (`PROTECTED_PATH`, `LOCKED_BY_OTHER`, `NOT_LOCKED`)'],
  },
};
