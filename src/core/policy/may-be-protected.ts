/**
 * Nearly all writes are to files that cannot be guard's own; this recognises them without loading the rules. For every
 * rule of protection.ts, one of these parts occurs in a name, except for the user's configuration behind a link.
 */
const PARTS =
  'guard settings .git .mcp.json .claude claude-code claudecode .codex .opencode .cursor _plugins.json known_marketplaces .config.json /worktrees/ /dist/ /bin/ /hooks/ /native/ /node_modules/ /package.json'.split(
    ' ',
  );

/** @param names the real name and the given one. @param dirs guarded directories of the repository: git's, its roles */
export function mayBeProtected(names: readonly string[], dirs: readonly string[]): boolean {
  const folded = names.join('\n').replaceAll('\\', '/').toLowerCase();
  return [...PARTS, ...dirs.map((dir) => dir.toLowerCase())].some((part) => folded.includes(part));
}
