/** The committed file that names the ledger which a repository's machines share (docs/fleet.md), relative to the root. */
export const NAMED_FILE = '.claude/guard-fleet.json';
